//! Standings of series for spreadsheets and for printing: each tournament has a column.

use std::fmt::Write;
use std::ops::Range;

use actix_web::{HttpResponse, HttpResponseBuilder, web};
use cardroom_core::tournament::series::{SeriesLine, SeriesResult};
use tokio::sync::Semaphore;

use crate::http::html::escaped;
use crate::http::problem::Problem;
use crate::http::tournaments::export::{sent, uncomputed};
use crate::tournaments::series_standings::SeriesStandings;

/// The columns before those of the tournaments.
const COLUMNS: [&str; 4] = ["place", "player", "points", "tournaments"];

/// How many answers are written at once: each can have a million cells, and is in memory as a whole. Others wait.
const AT_ONCE: usize = 2;
static PERMITS: Semaphore = Semaphore::const_new(AT_ONCE);

/// Some of the lines as CSV.
///
/// # Errors
/// `internal` where they cannot be written, which would be a defect of the program.
pub async fn csv(
    response: HttpResponseBuilder,
    found: SeriesStandings,
    lines: Range<usize>,
) -> Result<HttpResponse, Problem> {
    let file = format!("series-{}", found.series.id);
    sent(response, &file, written(found, lines, sheet).await?)
}

/// Some of the lines as a page to print. What does not count is struck through.
///
/// # Errors
/// As [`csv()`].
pub async fn html(found: SeriesStandings, lines: Range<usize>) -> Result<String, Problem> {
    written(found, lines, page).await
}

/// Writes lines on a thread that serves nobody else. A client that leaves does not make room for another before they are
/// written.
async fn written<T: Send + 'static>(
    found: SeriesStandings,
    lines: Range<usize>,
    write: fn(&SeriesStandings, &[SeriesLine]) -> T,
) -> Result<T, Problem> {
    let permit = PERMITS.acquire().await.expect("the semaphore is never closed");
    let work = move || {
        let _permit = permit;
        write(&found, &found.lines[lines])
    };
    web::block(work).await.map_err(|error| {
        tracing::error!(%error, "the standings of a series cannot be written");
        Problem::new("internal", "something went wrong on our side; it has been logged")
    })
}

fn sheet(found: &SeriesStandings, lines: &[SeriesLine]) -> Result<Vec<u8>, csv::Error> {
    let mut sheet = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    let names = found.tournaments.iter().map(|one| uncomputed(&one.name));
    sheet.write_record(COLUMNS.map(str::to_owned).into_iter().chain(names))?;
    for line in lines {
        let results = by_tournament(found, line);
        let points = results.into_iter().map(|one| one.map_or(String::new(), points));
        sheet.write_record(cells(line, uncomputed(&line.player)).into_iter().chain(points))?;
    }
    sheet.into_inner().map_err(|error| error.into_error().into())
}

fn page(found: &SeriesStandings, lines: &[SeriesLine]) -> String {
    let title = escaped(&found.series.name);
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title><style>\
         body{{font:1rem/1.4 system-ui,sans-serif;margin:2rem}}table{{border-collapse:collapse}}\
         th,td{{padding:.2rem .7rem;border-bottom:1px solid #bbb;text-align:right}}\
         th:nth-child(2),td:nth-child(2){{text-align:left}}\
         thead{{display:table-header-group}}tr{{break-inside:avoid}}@media print{{body{{margin:0}}}}\
         </style><h1>{title}</h1><table><thead><tr>",
    );
    for column in COLUMNS {
        let _ = write!(page, "<th>{column}</th>");
    }
    for tournament in &found.tournaments {
        let _ = write!(page, "<th>{}</th>", escaped(&tournament.name));
    }
    page.push_str("</tr></thead><tbody>");
    for line in lines {
        page.push_str("<tr>");
        for cell in cells(line, line.player.clone()) {
            let _ = write!(page, "<td>{}</td>", escaped(&cell));
        }
        for result in by_tournament(found, line) {
            let _ = match result {
                None => write!(page, "<td></td>"),
                Some(one) if one.counts => write!(page, "<td>{}</td>", points(one)),
                Some(one) => write!(page, "<td><s>{}</s></td>", points(one)),
            };
        }
        page.push_str("</tr>");
    }
    page.push_str("</tbody></table></html>");
    page
}

fn cells(line: &SeriesLine, player: String) -> [String; 4] {
    let points = line.points.ratio().to_string();
    [line.place.to_string(), player, points, line.results.len().to_string()]
}

fn points(result: &SeriesResult) -> String {
    result.points.ratio().to_string()
}

/// What each tournament gave; none where the player was not in it.
fn by_tournament<'a>(found: &SeriesStandings, line: &'a SeriesLine) -> Vec<Option<&'a SeriesResult>> {
    let mut cells = vec![None; found.tournaments.len()];
    for result in &line.results {
        cells[usize::from(result.nth)] = Some(result);
    }
    cells
}
