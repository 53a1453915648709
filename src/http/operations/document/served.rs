//! The document as it is served, and what is known of each path: which methods there are, and in which forms they answer.

use actix_web::dev::ResourceDef;
use actix_web::http::Method;
use actix_web::web::Bytes;
use serde_json::Value;

/// The finished document, and its paths.
pub struct Document {
    pub json: Bytes,
    paths: Vec<(ResourceDef, Served)>,
}

/// What is served at a path.
struct Served {
    /// The methods, as `Allow` lists them.
    allow: String,
    /// For each method the media types of its answers.
    forms: Vec<(String, Vec<String>)>,
}

impl Document {
    pub fn new(document: &Value) -> Document {
        let paths = document["paths"].as_object().into_iter().flatten();
        let paths =
            paths.map(|(path, item)| (ResourceDef::new(path.as_str()), Served::of(document, item))).collect();
        Document { json: document.to_string().into(), paths }
    }

    /// Adds paths that the document leaves out and that take GET, each with the media types of its answers.
    pub fn with_pages(mut self, pages: impl Iterator<Item = (&'static str, Vec<String>)>) -> Document {
        self.paths.extend(pages.map(|(path, forms)| {
            let allow = "GET, HEAD, OPTIONS".to_owned();
            (ResourceDef::new(path), Served { allow, forms: vec![("GET".to_owned(), forms)] })
        }));
        self
    }

    /// The methods that `path` allows, as `Allow` lists them; `None` if the path does not exist.
    pub fn allowed(&self, path: &str) -> Option<&str> {
        self.served(path).map(|served| served.allow.as_str())
    }

    /// The media types in which a request is answered. Empty where it has no body, or where nothing is served.
    pub fn forms(&self, method: &Method, path: &str) -> Vec<&str> {
        let forms = self.served(path).into_iter().flat_map(|served| &served.forms);
        let own = forms.filter(|(known, _)| known.eq_ignore_ascii_case(method.as_str()));
        own.flat_map(|(_, forms)| forms.iter().map(String::as_str)).collect()
    }

    fn served(&self, path: &str) -> Option<&Served> {
        self.paths.iter().find(|(known, _)| known.is_match(path)).map(|(_, served)| served)
    }
}

impl Served {
    fn of(document: &Value, item: &Value) -> Served {
        let operations = || item.as_object().into_iter().flatten();
        let mut methods: Vec<String> = operations().map(|(method, _)| method.to_uppercase()).collect();
        if let Some(get) = methods.iter().position(|method| method == "GET") {
            methods.insert(get + 1, "HEAD".to_owned());
        }
        methods.push("OPTIONS".to_owned());
        let forms = operations().map(|(method, operation)| (method.clone(), forms(document, operation)));
        Served { allow: methods.join(", "), forms: forms.collect() }
    }
}

/// The media types of an operation's successful answers.
fn forms(document: &Value, operation: &Value) -> Vec<String> {
    let answers = operation["responses"].as_object().into_iter().flatten();
    let successful = answers.filter(|(status, _)| status.starts_with('2')).map(|(_, answer)| answer);
    let resolved = successful.map(|answer| match answer["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap_or(answer),
        None => answer,
    });
    resolved
        .flat_map(|answer| answer["content"].as_object().into_iter().flatten())
        .map(|(form, _)| form.clone())
        .collect()
}
