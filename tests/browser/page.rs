//! A page in the browser, as somebody uses it: it is clicked and typed at, and waited for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::chromium::{Chromium, Listener};
use crate::api::client::PATIENCE;

/// Functions for the expressions that are asked of a page.
const FUNCTIONS: &str = include_str!("page.js");

/// Keeps every answer that the page gets, as text.
const RECORDER: &str = include_str!("recorder.js");

pub const PHONE: Size = Size(390, 844);
pub const DESK: Size = Size(1280, 800);

#[derive(Debug, Clone, Copy)]
pub struct Size(pub u32, pub u32);

#[derive(Debug, Clone, Copy)]
pub enum Theme {
    Light,
    Dark,
}

/// Somebody with a browser profile of their own.
pub struct Person {
    chromium: &'static Chromium,
    context: String,
}

/// An open page.
pub struct Page {
    chromium: &'static Chromium,
    session: String,
    base: String,
    heard: Arc<Heard>,
}

#[derive(Default)]
struct Heard {
    /// Errors on the console, uncaught exceptions, and what the page's policy has refused.
    complaints: Mutex<Vec<String>>,
    /// Whether the answer to the next request that is stopped gets lost.
    loses: AtomicBool,
    session: String,
}

impl Listener for Heard {
    fn hear(&self, chromium: &Chromium, method: &str, event: &Value) {
        let complaint = match method {
            "Runtime.exceptionThrown" => event["exceptionDetails"].to_string(),
            "Runtime.consoleAPICalled" if ["error", "warning", "assert"].contains(&str(&event["type"])) => {
                event["args"].to_string()
            }
            // An answer that is no success is told here, too, and is none of the page's errors.
            "Log.entryAdded"
                if event["entry"]["level"] == "error" && event["entry"]["source"] != "network" =>
            {
                event["entry"].to_string()
            }
            "Fetch.requestPaused" => {
                let request = json!({"requestId": event["requestId"], "errorReason": "ConnectionReset"});
                let lost = self.loses.swap(false, Ordering::SeqCst);
                let what = if lost { "Fetch.failRequest" } else { "Fetch.continueRequest" };
                let request = if lost { request } else { json!({"requestId": event["requestId"]}) };
                return chromium.tell(&self.session, what, &request);
            }
            _ => return,
        };
        self.complaints.lock().unwrap().push(complaint);
    }
}

fn str(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

impl Person {
    pub async fn new(chromium: &'static Chromium) -> Person {
        let made = chromium.call("", "Target.createBrowserContext", json!({})).await.unwrap();
        Person { chromium, context: str(&made["browserContextId"]).to_owned() }
    }

    /// Opens an address of the card room at `base`.
    pub async fn open(&self, base: &str, path: &str, size: Size) -> Page {
        let chromium = self.chromium;
        let wanted = json!({"url": "about:blank", "browserContextId": self.context});
        let target = chromium.call("", "Target.createTarget", wanted).await.unwrap()["targetId"].take();
        let wanted = json!({"targetId": target, "flatten": true});
        let attached = chromium.call("", "Target.attachToTarget", wanted).await.unwrap();
        let session = str(&attached["sessionId"]).to_owned();
        let heard = Arc::new(Heard { session: session.clone(), ..Heard::default() });
        chromium.follow(&session, heard.clone());
        let page = Page { chromium, session, base: base.to_owned(), heard };
        for domain in ["Page", "Runtime", "Log", "Network"] {
            page.call(&format!("{domain}.enable"), json!({})).await;
        }
        page.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": RECORDER})).await;
        page.wear(Theme::Light).await;
        page.resize(size).await;
        page.go(path).await;
        page
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        self.chromium.tell("", "Target.disposeBrowserContext", &json!({"browserContextId": self.context}));
    }
}

impl Page {
    async fn call(&self, method: &str, params: Value) -> Value {
        self.chromium.call(&self.session, method, params).await.unwrap()
    }

    pub async fn resize(&self, Size(width, height): Size) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.call("Emulation.setDeviceMetricsOverride", size).await;
    }

    /// Asks for a theme, and that nothing moves: that would only keep the tests waiting.
    pub async fn wear(&self, theme: Theme) {
        let scheme = format!("{theme:?}").to_lowercase();
        let wishes = [("prefers-color-scheme", &*scheme), ("prefers-reduced-motion", "reduce")];
        let wishes = wishes.map(|(name, value)| json!({"name": name, "value": value}));
        self.call("Emulation.setEmulatedMedia", json!({"features": wishes})).await;
    }

    /// Goes to an address, and waits until all is there that the page asks for.
    pub async fn arrive(&self, path: &str) {
        self.go(path).await;
        self.until("document.querySelector('main h1') && window.pending === 0 && drawn()").await;
    }

    /// Runs a script of the tests' own on the page.
    pub async fn load(&self, script: &str) {
        self.call("Runtime.evaluate", json!({"expression": script})).await;
    }

    pub async fn go(&self, path: &str) {
        let told = self.call("Page.navigate", json!({"url": format!("{}{path}", self.base)})).await;
        assert_eq!(told.get("errorText"), None, "{path}");
    }

    /// What an expression comes to on the page.
    ///
    /// # Errors
    /// What went wrong, if only because the page went elsewhere meanwhile.
    async fn try_to(&self, expression: &str) -> Result<Value, String> {
        let expression = format!("(async () => {{ {FUNCTIONS}\n return ({expression}); }})()");
        let wanted = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let mut told = self.chromium.call(&self.session, "Runtime.evaluate", wanted).await?;
        match told.get("exceptionDetails") {
            Some(wrong) => Err(wrong.to_string()),
            None => Ok(told["result"]["value"].take()),
        }
    }

    pub async fn eval(&self, expression: &str) -> Value {
        self.try_to(expression).await.unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// Waits until an expression comes to something else than null, false or an empty string.
    pub async fn until(&self, expression: &str) -> Value {
        let began = Instant::now();
        let mut last = Ok(Value::Null);
        while began.elapsed() < PATIENCE {
            last = self.try_to(&format!("await soon(() => ({expression}))")).await;
            if let Ok(value) = &last
                && ![Value::Null, json!(false), json!("")].contains(value)
            {
                return value.clone();
            }
        }
        panic!("{expression} never came: {last:?}\n{}\n{:?}", self.text().await, self.complaints());
    }

    /// Waits until the page shows a text.
    pub async fn shows(&self, text: &str) {
        self.until(&format!("document.body.innerText.includes({})", json!(text))).await;
    }

    /// Presses what a selector finds, where somebody sees it; the first that has this text, if one is given. If the page
    /// has moved it away meanwhile, it is pressed once more.
    pub async fn click(&self, selector: &str, text: &str) {
        for _ in 0..5 {
            let at = self.until(&format!("place({}, {})", json!(selector), json!(text))).await;
            self.click_at(&at).await;
            // A page that was left by the click does not know any more.
            if self.try_to("window.isHit").await != Ok(json!(false)) {
                return;
            }
        }
        panic!("{selector} {text} moves away:\n{}", self.text().await);
    }

    /// The same where the page may have changed meanwhile, so that there is nothing to press any more.
    pub async fn try_click(&self, selector: &str, text: &str) {
        let at = self.eval(&format!("place({}, {})", json!(selector), json!(text))).await;
        if !at.is_null() {
            self.click_at(&at).await;
        }
    }

    /// The second press of a double click.
    pub async fn click_again(&self, selector: &str) {
        let at = self.until(&format!("place({}, '')", json!(selector))).await;
        self.click_times(&at, 2).await;
    }

    async fn click_at(&self, at: &Value) {
        self.click_times(at, 1).await;
    }

    async fn click_times(&self, at: &Value, times: u8) {
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({"type": kind, "x": at["x"], "y": at["y"], "button": "left", "clickCount": times});
            self.call("Input.dispatchMouseEvent", event).await;
        }
    }

    /// Goes on with the tabulator until something of this selector has the focus, and presses it.
    pub async fn tab_to(&self, selector: &str) {
        let is_there = format!("!!document.activeElement?.matches({})", json!(selector));
        for _ in 0..100 {
            if self.eval(&is_there).await == true {
                return self.press("Enter").await;
            }
            self.press("Tab").await;
        }
        panic!("{selector} cannot be reached:\n{}", self.text().await);
    }

    /// Presses a key, named as browsers name it.
    pub async fn press(&self, key: &str) {
        self.strike(key, false).await;
    }

    /// A key that is down already goes on.
    pub async fn hold(&self, key: &str) {
        self.strike(key, true).await;
    }

    async fn strike(&self, key: &str, is_held: bool) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "Escape" => 27,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            "[" => 219,
            "]" => 221,
            letter => letter.to_uppercase().bytes().next().unwrap(),
        };
        let text = if key == "Enter" { "\r" } else { key };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({"type": kind, "key": key, "windowsVirtualKeyCode": code});
            if kind == "keyDown" {
                event["autoRepeat"] = json!(is_held);
                if text.len() == 1 {
                    event["text"] = json!(text);
                }
            }
            self.call("Input.dispatchKeyEvent", event).await;
        }
    }

    pub async fn type_in(&self, text: &str) {
        self.call("Input.insertText", json!({"text": text})).await;
    }

    /// Goes to an address of the page as a link does, without loading anything anew.
    pub async fn go_on(&self, path: &str) {
        let address = json!(path);
        self.eval(&format!(
            "(history.pushState(null, '', {address}), dispatchEvent(new PopStateEvent('popstate')), true)"
        ))
        .await;
    }

    /// Chooses an option of a list.
    pub async fn select(&self, selector: &str, value: &str) {
        self.until(&format!("document.querySelector({}) !== null", json!(selector))).await;
        let list = format!("document.querySelector({})", json!(selector));
        let change = "dispatchEvent(new Event('change', {bubbles: true}))";
        self.eval(&format!("({list}.value = {}, {list}.{change}, true)", json!(value))).await;
        assert_eq!(self.eval(&format!("{list}.value")).await, json!(value), "{selector}");
    }

    /// Chooses files in a field.
    pub async fn choose(&self, selector: &str, files: &[&str]) {
        self.until(&format!("document.querySelector({}) !== null", json!(selector))).await;
        let document = self.call("DOM.getDocument", json!({})).await;
        let wanted = json!({"nodeId": document["root"]["nodeId"], "selector": selector});
        let node = self.call("DOM.querySelector", wanted).await;
        self.call("DOM.setFileInputFiles", json!({"files": files, "nodeId": node["nodeId"]})).await;
    }

    /// From now on the house gets the next request of this pattern, and the page never gets its answer.
    pub async fn lose_the_answer(&self, pattern: &str) {
        self.heard.loses.store(true, Ordering::SeqCst);
        let patterns = json!([{"urlPattern": pattern, "requestStage": "Response"}]);
        self.call("Fetch.enable", json!({"patterns": patterns})).await;
    }

    /// Whether the answer has been lost by now.
    pub fn has_lost_it(&self) -> bool {
        !self.heard.loses.load(Ordering::SeqCst)
    }

    /// What is seen of the page now, as PNG.
    pub async fn picture(&self) -> Vec<u8> {
        let taken = self.call("Page.captureScreenshot", json!({"format": "png"})).await;
        STANDARD.decode(str(&taken["data"])).unwrap()
    }

    /// The page as it is printed, as PDF.
    pub async fn print(&self) -> Vec<u8> {
        let printed = self.call("Page.printToPDF", json!({"preferCSSPageSize": true})).await;
        STANDARD.decode(str(&printed["data"])).unwrap()
    }

    /// Shows the page as it is on paper.
    pub async fn media(&self, media: &str) {
        self.call("Emulation.setEmulatedMedia", json!({"media": media})).await;
    }

    /// What somebody reads on the page, and its address.
    pub async fn text(&self) -> String {
        str(&self.eval("location.href + '\\n' + document.body.innerText").await).to_owned()
    }

    /// What is on the page, as it would be saved.
    pub async fn markup(&self) -> String {
        str(&self.eval("document.documentElement.outerHTML").await).to_owned()
    }

    pub fn complaints(&self) -> Vec<String> {
        self.heard.complaints.lock().unwrap().clone()
    }
}
