//! Requests that begin a session, and what they are charged to: the network, and for logins the name, too.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpMessage, HttpRequest};

use crate::accounts::Accounts;
use crate::http::connections::client_address::ClientAddress;
use crate::http::limits::{Charge, Limits};
use crate::http::problem::Problem;

/// A request that signs in or creates an account. It is charged to its network before its body is read, even if it
/// carries a token.
pub struct SignIn {
    pub client: ClientAddress,
    limits: Data<Limits>,
}

impl SignIn {
    /// Charges a login to the name. The charge is given back if the password is right.
    ///
    /// A network from which the account has signed in lately has an allowance of its own: strangers who try passwords
    /// use up theirs, and do not lock the owner out.
    ///
    /// # Errors
    /// `too_many_requests`; `unavailable` where the database does not answer.
    pub async fn login(&self, username: &str, accounts: &Accounts) -> Result<Charge, Problem> {
        let charge = self.limits.login(username, None);
        let Some(refusal) = self.limits.take(&charge).refusal() else { return Ok(charge) };
        let network = self.client.network();
        if !accounts.knows_network(username, network).await? {
            return Err(refusal);
        }
        let own = self.limits.login(username, Some(network));
        match self.limits.take(&own).refusal() {
            None => Ok(own),
            Some(refusal) => Err(refusal),
        }
    }
}

impl FromRequest for SignIn {
    type Error = Problem;
    type Future = Ready<Result<SignIn, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let limits = request.app_data::<Data<Limits>>().expect("the app registers the limits").clone();
        ready(ClientAddress::from_request(request, payload).into_inner().and_then(|client| {
            let allowance = limits.sign_in(client);
            request.extensions_mut().insert(allowance);
            match allowance.refusal() {
                None => Ok(SignIn { client, limits }),
                Some(refusal) => Err(refusal),
            }
        }))
    }
}
