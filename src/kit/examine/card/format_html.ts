/** Writes a card as one HTML file, which loads no other file and has no script. */

import { sayCount } from "../../../ground/values/say_count.ts";
import style from "./card.css" with { type: "text" };
import type { Level } from "../../faults/misbehaviour.ts";
import { escapeMarkup } from "./escape_markup.ts";
import { tokenFile, tokenStyle } from "../../timeline/token_file.tsx";
import type { KeptRequest } from "./kept_card.ts";
import {
  countByArea,
  countRows,
  describeEvidence,
  describeLacks,
  describeRun,
  groupByMend,
  levelsOf,
  listBrief,
  listDescribed,
  nameCounts,
  nameLevels,
  type Report,
  type ReportRow,
  type Section,
  summarise,
  withCondition,
} from "./report.ts";
import { present } from "../../../ground/values/present.ts";
import { showJson, type ShownCheck, showsAll } from "../../../server/pages/token/token_props.ts";
import { isJsonObject } from "../../../ground/schema/json_object.ts";

export function formatHtml(report: Report): string {
  const { rows } = report;
  const lacks = describeLacks(report);
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    // The file quotes texts of a client. With this policy, they could load nothing even if the escaping failed.
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>Report card: ${escapeMarkup(summarise(report))}</title>`,
    `<style>\n${tokenStyle}${style}</style>`,
    "</head>",
    "<body>",
    "<main>",
    "<h1>Report card</h1>",
    ...(report.problem === undefined ? [] : formatProblem(report.problem)),
    `<p class="summary">${escapeMarkup(summarise(report))}</p>`,
    `<p>${sayCount(rows.length, "misbehaviour")}, one at a time. ${escapeMarkup(describeRun(report))}</p>`,
    ...(lacks === "" ? [] : [`<p class="lacks">${escapeMarkup(lacks)}</p>`]),
    ...report.notes.map((note) => `<p class="note">${escapeMarkup(note)}</p>`),
    ...listDescribed(report).map(formatSection),
    foldSection("By area", formatCounts(report)),
    ...listBrief(report).map(({ title, rows }) =>
      foldSection(`${title}: ${rows.length}`, formatList(title, rows))
    ),
    "</main>",
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

/** The first line says what failed, and the others are what the client and the server said. */
function formatProblem(problem: string): readonly string[] {
  const [first = "", ...others] = escapeMarkup(problem).split("\n");
  return [
    `<p class="problem">${first}</p>`,
    ...(others.length === 0 ? [] : [`<pre>${others.join("\n")}</pre>`]),
  ];
}

function foldSection(title: string, content: string, isOpen = false): string {
  return [
    `<details class="section"${isOpen ? " open" : ""}><summary><h2>${title}</h2></summary>`,
    content,
    "</details>",
  ].join("\n");
}

/** What a reader does first is open: to choose what to mend. */
function formatSection({ title, rows }: Section, index: number): string {
  const groups = groupByMend(rows).map((group) =>
    [
      `<details class="mend ${group.rows[0]!.grade} ${group.rows[0]!.level}">`,
      `<summary><h3>${escapeMarkup(group.title)}</h3> <span>${
        countRows(group.rows).replace(" ", "<span> ")
      }, ${nameLevels(group)}</span></span></summary>`,
      ...group.rows.map(formatArticle),
      "</details>",
    ].join("\n")
  );
  return foldSection(`${title}: ${rows.length}`, groups.join("\n"), index === 0);
}

function formatCounts(report: Report): string {
  const levels = levelsOf(report);
  const header = ["area", ...levels, "not judged"].map((each) => `<th scope="col">${each}</th>`).join("");
  const lines = countByArea(report).map(({ area, rows, passed, unjudged }) => {
    const cells = [
      ...levels.map((level) => formatCount(level, passed[level])),
      formatCell("not judged", "count", unjudged),
    ];
    const style = rows.every(({ grade }) => grade === "unjudged") ? ' class="unjudged"' : "";
    return `<tr${style}><th scope="row"><code>${breakable(area)}</code></th>${cells.join("")}</tr>`;
  });
  return [
    `<p id="counts">How many of the judged misbehaviours were ${nameCounts(report)}:</p>`,
    '<div class="scroll counts" role="region" aria-labelledby="counts" tabindex="0"><table>',
    `<thead><tr>${header}</tr></thead>`,
    `<tbody>\n${lines.join("\n")}\n</tbody>`,
    "</table></div>",
  ].join("\n");
}

function formatCount(level: Level, passed: string): string {
  const [count, all] = passed.split("/");
  if (count === all || passed === "") return formatCell(level, "count all", passed);
  // Red is for failures only.
  const style = level === "must" || level === "tolerate" ? "failed" : "advice";
  return formatCell(level, `count ${style}`, passed);
}

/** A narrow window shows the label in the cell, and no header. */
function formatCell(label: string, style: string, text: string): string {
  if (text === "") return "<td></td>";
  return `<td class="${style}" data-label="${label}">${text.replace("/", " of ")}</td>`;
}

function formatArticle(row: ReportRow): string {
  const { name, level, outcome, because, requests, rule, remedy, trial, before, grade } = row;
  const id = escapeMarkup(name);
  return [
    `<article id="${id}" class="${grade} ${level}" aria-labelledby="${id}.title">`,
    `<h4 id="${id}.title">${breakable(name)}</h4>`,
    `<p>${escapeMarkup(withCondition(row.server, row))}</p>`,
    `<p><span class="outcome">${outcome}</span> (${level}): <span class="because">${
      escapeMarkup(because)
    }</span></p>`,
    ...formatRequests(requests, row),
    "<dl>",
    `<dt>Rule</dt><dd>${escapeMarkup(rule)}</dd>`,
    `<dt>Change</dt><dd>${escapeMarkup(remedy)}</dd>`,
    ...(trial === undefined ? [] : [`<dt>Try it</dt><dd><code>${escapeMarkup(trial)}</code></dd>`]),
    ...(before === undefined ? [] : [`<dt>Before</dt><dd>${before.outcome}</dd>`]),
    "</dl>",
    "</article>",
  ].join("\n");
}

function formatRequests(requests: readonly KeptRequest[], row: ReportRow): readonly string[] {
  if (requests.length === 0) return [];
  return ['<ol class="requests">', ...requests.map((request) => formatRequest(request, row)), "</ol>"];
}

function formatRequest(request: KeptRequest, row: ReportRow): string {
  const { params, answer } = request;
  const kind = answer?.["logout_token"] === undefined ? "ID token" : "Logout token";
  const token = formatToken(kind, request, row);
  const { id_token: _idToken, logout_token: _logoutToken, ...others } = answer ?? {};
  const details = present({
    params: Object.keys(params).length === 0 ? undefined : params,
    answer: token === undefined ? answer : Object.keys(others).length === 0 ? undefined : others,
  });
  const line = `<code>${escapeMarkup(describeEvidence(request))}</code>`;
  const text = escapeMarkup(JSON.stringify(details, null, 2));
  const folded = Object.keys(details).length === 0 ? "" : `\n${fold(detailsTitle, `\n<pre>${text}</pre>`)}`;
  return `<li>${line}${folded}${token === undefined ? "" : `\n${fold(kind, token)}`}</li>`;
}

const detailsTitle = "Parameters and response";

/** Lets the browser break a name after its area and between its words only. */
function breakable(name: string): string {
  return escapeMarkup(name).replace(/[._]/g, "$&<wbr>");
}

/** Folds all lines but the first one, because the output of a test command is long. */
function formatBecause(because: string): string {
  const [first = "", ...others] = because.split("\n").map(escapeMarkup);
  return others.length === 0 ? first : fold(first, `<pre>${others.join("\n")}</pre>`);
}

function foldRequests(row: ReportRow): string {
  const { requests } = row;
  return requests.length === 0
    ? ""
    : fold(`Requests: ${requests.length}`, formatRequests(requests, row).join(""));
}

function fold(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>${content}</details>`;
}

function formatList(title: string, rows: readonly ReportRow[]): string {
  const header = ["misbehaviour", "level", "outcome", "why"].map((each) => `<th scope="col">${each}</th>`);
  return [
    // A wide table scrolls inside of a region that the keyboard reaches.
    `<div class="scroll list" role="region" aria-label="${title}" tabindex="0"><table>`,
    `<thead><tr>${header.join("")}</tr></thead>`,
    "<tbody>",
    ...rows.map((row) =>
      `<tr><th scope="row"><code>${
        breakable(row.name)
      }</code></th><td>${row.level}</td><td>${row.outcome}</td><td>${
        escapeMarkup(withCondition(row.server, row))
      } ${formatBecause(row.because)}${foldRequests(row)}</td></tr>`
    ),
    "</tbody>",
    "</table></div>",
  ].join("\n");
}

type Row = Pick<ReportRow, "name" | "level" | "rule">;

/** Returns `undefined` if the card has no claims of an ID token: the response had none, or the server could not read it. */
function formatToken(name: string, request: KeptRequest, row: Row): string | undefined {
  const { answer, altered } = request;
  const shown = answer?.["logout_token"] ?? answer?.["id_token"];
  if (!isJsonObject(shown) || !isJsonObject(shown["header"]) || !isJsonObject(shown["claims"])) {
    return undefined;
  }
  const show = (members: unknown) => showJson(JSON.stringify(members), showsAll);
  const isWrong = altered?.some(({ by }) => by === row.name) === true;
  return tokenFile({
    name,
    token: { jwt: { header: show(shown["header"]), payload: show(shown["claims"]) } },
    checks: isWrong ? findCheck(row, request) : [],
  });
}

const checkOfFault = /^(acr|alg|at_hash|aud|auth_time|azp|exp|iat|iss|nbf|nonce|signature|sub|typ)_/;

/** Most names of misbehaviours of ID tokens have the claim that is wrong: `id_token.aud_wrong`. Others mark no claim. */
function findCheck({ name, level, rule }: Row, { clientId }: KeptRequest): readonly ShownCheck[] {
  const [area, fault = ""] = name.split(".");
  const check = checkOfFault.exec(fault)?.[1] as ShownCheck["name"] | undefined;
  return area !== "id_token" || level === "tolerate" || check === undefined ? [] : [{
    name: check,
    result: "failed",
    rule,
    ...present({ expected: check === "aud" || check === "azp" ? clientId : undefined }),
  }];
}
