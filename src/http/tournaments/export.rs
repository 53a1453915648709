//! Standings, points and entrants for spreadsheets, and standings for printing.

use std::fmt::Write;

use actix_web::http::header;
use actix_web::{HttpResponse, HttpResponseBuilder};
use cardroom_core::tournament::{Row, Tournament};
use jiff::Timestamp;

use crate::http::html::escaped;
use crate::http::problem::Problem;

/// The headings of the columns.
const COLUMNS: [&str; 15] = [
    "place",
    "player",
    "result",
    "score",
    "penalty_result",
    "penalty_score",
    "head_to_head",
    "opponents",
    "best_game",
    "games",
    "byes",
    "round",
    "status",
    "team",
    "group",
];

/// The columns of the standings whose text players choose.
const NAMES: [usize; 2] = [1, 13];

/// An answer of rows as CSV (RFC 4180), the names of the columns first. A name that a spreadsheet would take for a
/// formula has a `'` before it. `names`: the columns whose text players choose; the others hold the service's own
/// numbers and words.
///
/// # Errors
/// `internal` where the rows cannot be written, which would be a defect of the program.
pub fn csv<const N: usize>(
    response: HttpResponseBuilder,
    file: &str,
    columns: [&str; N],
    names: &[usize],
    rows: impl Iterator<Item = [String; N]>,
) -> Result<HttpResponse, Problem> {
    sent(response, file, sheet(columns, names, rows))
}

/// A sheet as an answer.
///
/// # Errors
/// As [`csv()`].
pub fn sent(
    mut response: HttpResponseBuilder,
    file: &str,
    sheet: Result<Vec<u8>, csv::Error>,
) -> Result<HttpResponse, Problem> {
    let sheet = sheet.map_err(|error| {
        tracing::error!(%error, "rows cannot be written as CSV");
        Problem::new("internal", "something went wrong on our side; it has been logged")
    })?;
    response.insert_header((header::CONTENT_DISPOSITION, format!("attachment; filename=\"{file}.csv\"")));
    Ok(response.content_type("text/csv; charset=utf-8").body(sheet))
}

/// The standings as CSV.
///
/// # Errors
/// As [`csv()`].
pub fn standings(response: HttpResponseBuilder, file: &str, rows: &[Row]) -> Result<HttpResponse, Problem> {
    csv(response, file, COLUMNS, &NAMES, rows.iter().map(cells))
}

fn sheet<const N: usize>(
    columns: [&str; N],
    names: &[usize],
    rows: impl Iterator<Item = [String; N]>,
) -> Result<Vec<u8>, csv::Error> {
    let mut sheet = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    sheet.write_record(columns)?;
    for mut cells in rows {
        names.iter().for_each(|&name| cells[name] = uncomputed(&cells[name]));
        sheet.write_record(&cells)?;
    }
    sheet.into_inner().map_err(|error| error.into_error().into())
}

/// A text that spreadsheets do not evaluate: they evaluate cells that begin with one of these characters.
pub fn uncomputed(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    if is_formula { format!("'{text}") } else { text.to_owned() }
}

/// The standings as a page to print.
pub fn html(tournament: &Tournament, rows: &[Row], as_of: Option<Timestamp>) -> String {
    let title = escaped(&tournament.setup().name);
    let kind = tournament.kind().name;
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title><style>\
         body{{font:1rem/1.4 system-ui,sans-serif;margin:2rem}}table{{border-collapse:collapse}}\
         th,td{{padding:.2rem .7rem;border-bottom:1px solid #bbb;text-align:right}}\
         th:nth-child(2),td:nth-child(2),th:nth-child(14),td:nth-child(14){{text-align:left}}\
         thead{{display:table-header-group}}tr{{break-inside:avoid}}@media print{{body{{margin:0}}}}\
         </style><h1>{title}</h1><p>{kind}, round {}, {}",
        tournament.rounds().len(),
        tournament.status().as_str(),
    );
    if let Some(as_of) = as_of {
        let _ = write!(page, ", as of {as_of}");
    }
    page.push_str("</p><table><thead><tr>");
    for column in COLUMNS {
        let _ = write!(page, "<th>{}</th>", column.replace('_', " "));
    }
    page.push_str("</tr></thead><tbody>");
    for row in rows {
        page.push_str("<tr>");
        for cell in cells(row) {
            let _ = write!(page, "<td>{}</td>", escaped(&cell));
        }
        page.push_str("</tr>");
    }
    page.push_str("</tbody></table></html>");
    page
}

/// The cells of a row; a cell without a number is empty.
fn cells(row: &Row) -> [String; 15] {
    fn said(number: Option<impl ToString>) -> String {
        number.map(|number| number.to_string()).unwrap_or_default()
    }
    [
        said(row.place),
        row.player.clone(),
        row.result.to_string(),
        said(row.score),
        row.penalties.result.to_string(),
        row.penalties.score.to_string(),
        said(row.tie_breaks.head_to_head),
        said(row.tie_breaks.opponents),
        said(row.tie_breaks.best_game),
        row.games.to_string(),
        row.byes.to_string(),
        row.round.to_string(),
        row.status.as_str().to_owned(),
        row.team.clone().unwrap_or_default(),
        said(row.group),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use cardroom_core::tournament::{EntrantStatus, PenaltySum, Ratio, TieBreaks};

    #[test]
    fn no_spreadsheet_computes_a_name_and_numbers_stay_numbers() {
        let names = ["-1-1", "=1+1", "+1", "@SUM(A1)", "\t=1", "ann", "1-1", "a=b"];
        let rows = names.map(|name| Row {
            entrant: 1,
            player: name.to_owned(),
            team: Some(name.to_owned()),
            group: None,
            bot: None,
            place: Some(1),
            result: Ratio::new(-3, 1),
            score: Some(-7),
            penalties: PenaltySum { result: Ratio::new(0, 1), score: 0 },
            tie_breaks: TieBreaks { head_to_head: None, opponents: None, best_game: None },
            games: 2,
            byes: 0,
            round: 1,
            status: EntrantStatus::Playing,
        });
        let sheet = sheet(COLUMNS, &NAMES, rows.iter().map(cells)).unwrap();
        let sheet = String::from_utf8(sheet).unwrap();
        let lines: Vec<Vec<&str>> = sheet.split("\r\n").map(|line| line.split(',').collect()).collect();
        let column = |at: usize| lines[1..=names.len()].iter().map(|cells| cells[at]).collect::<Vec<_>>();
        let safe = ["'-1-1", "'=1+1", "'+1", "'@SUM(A1)", "'\t=1", "ann", "1-1", "a=b"];
        assert_eq!(NAMES.map(column), [safe, safe].map(Vec::from));
        assert!(lines[1..=names.len()].iter().all(|cells| (cells[2], cells[3]) == ("-3", "-7")), "{sheet}");
    }
}
