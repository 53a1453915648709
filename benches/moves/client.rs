//! Those who play: HTTP/1.1 as far as it is needed here, guests, and tables.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Mutex;

/// The most seats that a table has here.
pub const SEATS: usize = 10;

/// The accounts that play, each always on the same seat. Ten of them share tables, as many as an account may have, and
/// then ten others come.
pub struct Players {
    pub address: SocketAddr,
    /// At how many tables the same ten sit.
    tables_each: usize,
    /// Whether they are guests, who have no ratings.
    are_guests: bool,
    sitting: Mutex<Sitting>,
}

/// Those who are at the newest table.
#[derive(Default)]
struct Sitting {
    tokens: Vec<String>,
    tables: usize,
}

/// A game, and whom it waits for.
pub struct Table {
    address: SocketAddr,
    path: String,
    /// Each seat's move, ready to be sent; none where it depends on the game.
    moves: Vec<Vec<u8>>,
    /// Each seat's look at the game, ready to be sent.
    looks: Vec<Vec<u8>>,
    tokens: Vec<String>,
    to_act: usize,
    /// Whether it was over when all sat, because nobody had anything to decide.
    is_over: bool,
    dice: u64,
}

impl Players {
    pub fn new(address: SocketAddr, tables_each: usize) -> Players {
        Players { address, tables_each, are_guests: true, sitting: Mutex::default() }
    }

    /// Ten accounts, who sit at all tables.
    pub fn rated(address: SocketAddr) -> Players {
        Players { are_guests: false, ..Players::new(address, usize::MAX) }
    }

    /// The accounts that sit down at the next table.
    async fn sit(&self, seats: usize) -> Vec<String> {
        let mut sitting = self.sitting.lock().await;
        if sitting.tables.is_multiple_of(self.tables_each) {
            let mut connection = Connection::open(self.address).await;
            sitting.tokens.clear();
            for _ in 0..SEATS {
                let token =
                    if self.are_guests { connection.guest().await } else { connection.account().await };
                sitting.tokens.push(token);
            }
        }
        sitting.tables += 1;
        sitting.tokens[..seats].to_vec()
    }

    /// A long game without chips, in which everybody only ever sticks: whom it waits for is all that one needs to
    /// know.
    pub async fn open_table(&self, seats: usize) -> Table {
        self.open_sticking(seats, 1000).await
    }

    async fn open_sticking(&self, seats: usize, hands: u32) -> Table {
        let options = json!({"charge": 0, "hands": hands});
        let mut table = self.open("ritunas_favour", seats, options).await;
        let (path, stick) = (format!("{}/actions", table.path), json!({"type": "stick"}));
        table.moves = table.tokens.iter().map(|token| request("POST", &path, token, Some(&stick))).collect();
        table
    }

    /// A game of so many hands without chips, in which everybody only ever sticks, from its creation to its end.
    pub async fn play_out(&self, seats: usize, hands: u32) {
        let mut table = self.open_sticking(seats, hands).await;
        if table.is_over {
            return;
        }
        let mut connection = Connection::open(self.address).await;
        while let Some(seat) = to_act(connection.send(&table.moves[table.to_act], "201").await) {
            table.to_act = seat;
        }
    }

    /// Makes so many games, on so many connections, at each of which one guest sits and waits, who has no more than a
    /// hundred of them.
    pub async fn open_and_leave(&self, games: usize, connections: usize) {
        let wanted = json!({"kind": "sevens", "seats": 4, "sit": true});
        let make = async |_| {
            let mut connection = Connection::open(self.address).await;
            let mut token = String::new();
            for n in 0..games / connections {
                if n % 100 == 0 {
                    token = connection.guest().await;
                }
                connection.post("/v1/games", &token, &wanted).await;
            }
        };
        join_all((0..connections).map(make)).await;
    }

    /// A game of this kind by its default options, played at random.
    pub async fn open_any(&self, kind: &str, seats: usize, dice: u64) -> Table {
        let mut table = self.open(kind, seats, json!({})).await;
        table.dice = dice;
        table
    }

    async fn open(&self, kind: &str, seats: usize, options: Value) -> Table {
        let tokens = self.sit(seats).await;
        let mut connection = Connection::open(self.address).await;
        let wanted = json!({"kind": kind, "seats": seats, "sit": true, "options": options});
        let mut game = connection.post("/v1/games", &tokens[0], &wanted).await;
        let path = format!("/v1/games/{}", game["id"].as_str().expect("a game has an id"));
        for token in &tokens[1..] {
            game = connection.post(&format!("{path}/seats"), token, &json!({})).await;
        }
        let to_act = game["to_act"][0].as_u64();
        assert!(to_act.is_some() || game["status"] == "finished", "it has begun");
        Table {
            address: self.address,
            moves: Vec::new(),
            looks: tokens.iter().map(|token| request("GET", &path, token, None)).collect(),
            path,
            tokens,
            to_act: to_act.unwrap_or_default() as usize,
            is_over: to_act.is_none(),
            dice: 0,
        }
    }
}

/// How long each move waited for its answer, on one connection that plays at these tables in turn. All were accepted.
pub async fn play_until(tables: &mut [Table], end: Instant) -> Vec<Duration> {
    let mut waits = Vec::new();
    let mut connection = Connection::open(tables[0].address).await;
    let mut sent = Instant::now();
    loop {
        for table in &mut *tables {
            if sent >= end {
                return waits;
            }
            let answer = connection.send(&table.moves[table.to_act], "201").await;
            let answered = Instant::now();
            waits.push(answered - sent);
            sent = answered;
            table.to_act = to_act(answer).expect("the game outlasts the round");
        }
    }
}

/// The same, so many moves and evenly over a time.
pub async fn play_slowly(tables: &mut [Table], moves: usize, time: Duration) -> Vec<Duration> {
    let mut waits = Vec::new();
    let mut connection = Connection::open(tables[0].address).await;
    let mut pulse = tokio::time::interval(time / u32::try_from(moves).expect("not so many"));
    for n in 0..moves {
        pulse.tick().await;
        let at = n % tables.len();
        let table = &mut tables[at];
        let sent = Instant::now();
        let answer = connection.send(&table.moves[table.to_act], "201").await;
        waits.push(sent.elapsed());
        table.to_act = to_act(answer).expect("the game outlasts the round");
    }
    waits
}

impl Table {
    /// The requests for the streams of those who sit here, ready to be sent.
    pub fn account_streams(&self) -> impl Iterator<Item = Vec<u8>> {
        self.tokens.iter().map(|token| request("GET", "/v1/me/stream", token, None))
    }

    /// A look at the game by another replica, which has not got it in memory.
    pub async fn look_at(&self, replica: SocketAddr) {
        Connection::open(replica).await.send(&self.looks[0], "200").await;
    }

    /// The request for the game's stream, as a spectator without an account sends it.
    pub fn stream(&self) -> Vec<u8> {
        request("GET", &format!("{}/stream", self.path), "", None)
    }

    /// How long each move waited for its answer, on one connection. Before each is a look at the game, and it is drawn
    /// from those that are legal. Less where the game ends.
    pub async fn play_by_looking_until(&mut self, end: Instant) -> Vec<Duration> {
        let mut waits = Vec::new();
        let mut connection = Connection::open(self.address).await;
        let path = format!("{}/actions", self.path);
        while Instant::now() < end {
            let game: Value = serde_json::from_slice(connection.send(&self.looks[self.to_act], "200").await)
                .expect("answers are JSON");
            let action = self.choose(&game["legal_actions"]);
            let post = request("POST", &path, &self.tokens[self.to_act], Some(&action));
            let sent = Instant::now();
            let next = to_act(connection.send(&post, "201").await);
            waits.push(sent.elapsed());
            match next {
                Some(seat) => self.to_act = seat,
                None => break,
            }
        }
        waits
    }

    /// How long each look at the game took.
    pub async fn look_until(&self, end: Instant, version: Option<&str>) -> Vec<Duration> {
        let condition = version.map_or(String::new(), |tag| format!("if-none-match: {tag}\r\n"));
        let request = format!("GET {} HTTP/1.1\r\nhost: localhost\r\n{condition}\r\n", self.path);
        let status = if version.is_some() { "304" } else { "200" };
        let mut connection = Connection::open(self.address).await;
        connection.ask_until(end, request.as_bytes(), status).await
    }

    /// The game's length in bytes, and its version as a tag.
    pub async fn measure(&self) -> (usize, String) {
        let game = Connection::open(self.address).await.send(&self.looks[self.to_act], "200").await.to_vec();
        let read: Value = serde_json::from_slice(&game).expect("answers are JSON");
        (game.len(), format!("\"{}\"", read["version"]))
    }

    fn choose(&mut self, menu: &Value) -> Value {
        let menu = menu.as_array().expect("a list");
        let offer = &menu[self.below(menu.len())];
        let mut action = json!({"type": offer["type"]});
        for (name, domain) in offer["params"].as_object().into_iter().flatten() {
            let from = domain["from"].as_array();
            action[name] = match domain["type"].as_str() {
                Some("integer") => domain["min"].clone(),
                Some("cards") => {
                    json!(from.expect("cards")[..domain["min"].as_u64().expect("a number") as usize])
                }
                _ => {
                    let from = from.expect("a list");
                    from[self.below(from.len())].clone()
                }
            };
        }
        action
    }

    fn below(&mut self, bound: usize) -> usize {
        // SplitMix64.
        self.dice = self.dice.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.dice;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((word ^ (word >> 31)) % bound as u64) as usize
    }
}

/// The seat that a game waits for. The answer is not parsed: the client shall cost little.
fn to_act(game: &[u8]) -> Option<usize> {
    let name = b"\"to_act\":[";
    let at = game.windows(name.len()).position(|window| window == name)? + name.len();
    let digit = *game.get(at)?;
    digit.is_ascii_digit().then(|| usize::from(digit - b'0'))
}

/// One connection that stays open.
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub async fn open(address: SocketAddr) -> Connection {
        let stream = TcpStream::connect(address).await.expect("the service listens");
        stream.set_nodelay(true).expect("it is a TCP socket");
        Connection { stream, buffer: Vec::with_capacity(16 * 1024) }
    }

    /// The token of somebody new.
    async fn guest(&mut self) -> String {
        let session = self.post("/v1/auth/guest", "", &json!({})).await;
        session["access_token"].as_str().expect("a session has a token").to_owned()
    }

    /// The token of somebody new who has a name.
    async fn account(&mut self) -> String {
        // A guest's id makes a name that nobody has, also on a database that others have used.
        let guest = self.post("/v1/auth/guest", "", &json!({})).await;
        let id = guest["account"]["id"].as_str().expect("an account has an id");
        let account = json!({"username": format!("n{}", &id[24..]), "password": "correct horse battery"});
        let session = self.post("/v1/auth/register", "", &account).await;
        session["access_token"].as_str().expect("a session has a token").to_owned()
    }

    pub async fn post(&mut self, path: &str, token: &str, body: &Value) -> Value {
        let answer = self.send(&request("POST", path, token, Some(body)), "201").await;
        serde_json::from_slice(answer).expect("answers are JSON")
    }

    /// The whole answer to a request by HTTP/1.0, after which the service hangs up.
    pub async fn download(mut self, path: &str) -> Vec<u8> {
        let request = format!("GET {path} HTTP/1.0\r\nhost: localhost\r\n\r\n");
        self.stream.write_all(request.as_bytes()).await.expect("the connection stays open");
        self.stream.read_to_end(&mut self.buffer).await.expect("the connection stays open");
        self.buffer
    }

    /// How long each answer to the same request took.
    pub async fn ask_until(&mut self, end: Instant, request: &[u8], status: &str) -> Vec<Duration> {
        let mut waits = Vec::new();
        let mut sent = Instant::now();
        while sent < end {
            self.send(request, status).await;
            let answered = Instant::now();
            waits.push(answered - sent);
            sent = answered;
        }
        waits
    }

    /// Sends a request and gives the answer's body. It must have this status.
    pub async fn send(&mut self, request: &[u8], status: &str) -> &[u8] {
        self.stream.write_all(request).await.expect("the connection stays open");
        self.buffer.clear();
        let body = loop {
            let read = self.stream.read_buf(&mut self.buffer).await.expect("the connection stays open");
            assert!(read > 0, "the service hung up");
            if let Some((from, to)) = body(&self.buffer)
                && self.buffer.len() >= to
            {
                break from..to;
            }
        };
        let said =
            self.buffer.strip_prefix(b"HTTP/1.1 ").is_some_and(|rest| rest.starts_with(status.as_bytes()));
        assert!(said, "{}", String::from_utf8_lossy(&self.buffer));
        &self.buffer[body]
    }
}

pub fn request(method: &str, path: &str, token: &str, body: Option<&Value>) -> Vec<u8> {
    let authorization =
        if token.is_empty() { String::new() } else { format!("authorization: Bearer {token}\r\n") };
    let body = body.map_or(String::new(), |body| {
        let body = body.to_string();
        format!("content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len())
    });
    let end = if body.is_empty() { "\r\n" } else { "" };
    format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n{authorization}{body}{end}").into_bytes()
}

/// Where the body begins and ends, once all headers are there.
fn body(answer: &[u8]) -> Option<(usize, usize)> {
    let headers = answer.windows(4).position(|window| window == b"\r\n\r\n")?;
    let text = std::str::from_utf8(&answer[..headers]).expect("headers are ASCII");
    let length = text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>())
    });
    // What has not changed has no body, and may leave its length out.
    let length = length.map_or(0, |length| length.expect("it is a number"));
    Some((headers + 4, headers + 4 + length))
}
