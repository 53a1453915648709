//! Bounds on what one client has open on one connection of HTTP/2. There, one connection takes any number of requests
//! at once, the HTTP library buffers answers that the socket does not take, and the system does not see whether a client
//! reads an answer.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::io;
use std::net::Shutdown;
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::ServiceRequest;
use actix_web::http::header;
use actix_web::rt::net::TcpStream;
use actix_web::web::Bytes;
use socket2::{SockRef, Socket};
use tokio::time::{Instant, sleep, timeout};

use crate::http::problem::Problem;

/// How many requests may be open on one connection. Browsers open 100 at most, as long as nobody tells them another
/// number.
const MOST_REQUESTS: u32 = 256;
/// A refusal is an answer that can be left unread, too. If more are open, the connection is closed.
const MOST_ANSWERS: u32 = 2 * MOST_REQUESTS;
/// What a client has to read within the time that it is given: answers are handed to the connection in pieces of so
/// many bytes.
const PIECE: usize = 16 * 1024;
/// How many bytes of a connection's answers are handed to the HTTP library before it has to have written them.
const MOST_BUFFERED: usize = 1024 * 1024;
/// How long the library has to write once the socket takes more, and how long a look at the socket takes after that.
const WRITING: Duration = Duration::from_millis(5);
const LOOK: Duration = Duration::from_millis(1);
/// Seconds after which a refused client may try again.
const RETRY: u16 = 1;

/// The requests that are open on one connection. It is stored with the connection.
pub struct OpenRequests(Rc<Connection>);

struct Connection {
    socket: Socket,
    open: Cell<u32>,
    number: Cell<u64>,
    /// Since when a piece of these answers waits for its client to read.
    unread: RefCell<HashMap<u64, Instant>>,
    /// How many bytes were handed over since the library had last written all.
    handed: Cell<usize>,
    /// The answers that wait until it has.
    blocked: RefCell<Vec<Waker>>,
}

/// A request that is open until its answer is sent, or given up.
pub struct OpenRequest {
    connection: Rc<Connection>,
    number: u64,
}

impl OpenRequests {
    /// Counts the requests of a connection that was just accepted. `unread`: how long its client may leave a piece of an
    /// answer unread.
    ///
    /// # Errors
    /// [`io::Error`] where the system has no file descriptor left.
    pub fn of(stream: &TcpStream, unread: Duration) -> io::Result<OpenRequests> {
        let connection = Rc::new(Connection {
            socket: SockRef::from(stream).try_clone()?,
            open: Cell::new(0),
            number: Cell::new(0),
            unread: RefCell::default(),
            handed: Cell::new(0),
            blocked: RefCell::default(),
        });
        actix_web::rt::spawn(disconnect_unread(Rc::downgrade(&connection), unread));
        Ok(OpenRequests(connection))
    }
}

impl OpenRequest {
    /// Counts this request, if it came over HTTP/2 and not from a trusted proxy.
    pub fn count(request: &ServiceRequest) -> Option<OpenRequest> {
        let OpenRequests(connection) = request.conn_data::<OpenRequests>()?;
        let number = connection.number.get();
        connection.number.set(number + 1);
        connection.open.set(connection.open.get() + 1);
        if connection.open.get() > MOST_ANSWERS {
            connection.disconnect();
        }
        Some(OpenRequest { connection: connection.clone(), number })
    }

    /// The refusal, if the connection has too many requests open.
    pub fn refusal(&self) -> Option<Problem> {
        (self.connection.open.get() > MOST_REQUESTS).then(|| {
            let detail = format!("this connection has {MOST_REQUESTS} requests open; wait for their answers");
            Problem::new("too_many_requests", detail).with_header(header::RETRY_AFTER, RETRY.into())
        })
    }

    /// The answer's body, which is counted until it is sent.
    pub fn answer(self, body: BoxBody) -> BoxBody {
        BoxBody::new(CountedAnswer { request: self, body, rest: Bytes::new() })
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        self.connection.unread.borrow_mut().remove(&self.number);
        self.connection.open.set(self.connection.open.get() - 1);
    }
}

impl Connection {
    fn disconnect(&self) {
        // The connection may be gone already.
        let _ = self.socket.shutdown(Shutdown::Both);
    }

    /// Has this answer go on when more may be handed over.
    fn block(self: &Rc<Connection>, answer: Waker) {
        let mut blocked = self.blocked.borrow_mut();
        blocked.push(answer);
        if blocked.len() == 1 {
            actix_web::rt::spawn(unblock(self.clone()));
        }
    }
}

/// The HTTP library asks for the next piece when the client has made room for the one before.
struct CountedAnswer {
    request: OpenRequest,
    body: BoxBody,
    /// What is left of the piece that the handler gave.
    rest: Bytes,
}

impl MessageBody for CountedAnswer {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let answer = &mut *self;
        let OpenRequest { connection, number } = &answer.request;
        if connection.handed.get() > MOST_BUFFERED {
            connection.unread.borrow_mut().entry(*number).or_insert_with(Instant::now);
            connection.block(context.waker().clone());
            return Poll::Pending;
        }
        connection.unread.borrow_mut().remove(number);
        if answer.rest.is_empty() {
            match Pin::new(&mut answer.body).poll_next(context) {
                Poll::Ready(Some(Ok(piece))) => answer.rest = piece,
                other => return other,
            }
        }
        let piece = answer.rest.split_to(PIECE.min(answer.rest.len()));
        connection.unread.borrow_mut().insert(*number, Instant::now());
        connection.handed.set(connection.handed.get() + piece.len());
        Poll::Ready(Some(Ok(piece)))
    }
}

/// Waits until the HTTP library has written all that it has buffered, and has the blocked answers go on.
async fn unblock(connection: Rc<Connection>) {
    // A new registration tells how the socket is now, and not how it was.
    let registered = || connection.socket.try_clone().and_then(|socket| TcpStream::from_std(socket.into()));
    loop {
        let Ok(socket) = registered() else { break connection.disconnect() };
        let _ = socket.writable().await;
        // The library hears of it, too, and writes. If it had more than the socket takes, the socket is full again.
        sleep(WRITING).await;
        let Ok(socket) = registered() else { break connection.disconnect() };
        if timeout(LOOK, socket.writable()).await.is_ok() {
            break;
        }
    }
    connection.handed.set(0);
    connection.blocked.take().into_iter().for_each(Waker::wake);
}

/// Closes the connection when a piece of an answer has waited for longer than `unread`.
async fn disconnect_unread(connection: Weak<Connection>, unread: Duration) {
    loop {
        sleep(unread / 4).await;
        let Some(connection) = connection.upgrade() else { return };
        let oldest = connection.unread.borrow().values().min().copied();
        if oldest.is_some_and(|since| since.elapsed() > unread) {
            connection.disconnect();
            return;
        }
    }
}
