/** The text of metrics: its grammar, its escapes, and its bounds. */

import { assertEquals } from "@std/assert";
import parseForeign from "parse-prometheus-text-format";
import { createRegistry } from "../../../../src/tools/cli/metrics/exposition.ts";
import { createServerMetrics } from "../../../../src/tools/cli/metrics/server_metrics.ts";
import { test } from "../../../runner.ts";
import { readExposition } from "./read_exposition.ts";

test("exposition: counters, histograms and gauges are read as they were counted", () => {
  const { counter, histogram, gauge, format } = createRegistry();
  const count = counter("requests_total", "Requests.", ["endpoint", "outcome"]);
  const observe = histogram("seconds", "Times.", ["endpoint"], [0.1, 1]);
  gauge("running", "Running now.", () => 3);
  gauge("build_info", "Build.", () => 1, { version: "0.1.0" });
  count("token", "ok");
  count("token", "ok");
  count("token", "refused");
  count("toke", "nrefused");
  for (const seconds of [0.05, 0.1, 0.5, 7]) observe(seconds, "token");
  const families = readExposition(format());
  assertEquals([...families.get("requests_total")!.samples], [
    ['requests_total{endpoint="token",outcome="ok"}', 2],
    ['requests_total{endpoint="token",outcome="refused"}', 1],
    ['requests_total{endpoint="toke",outcome="nrefused"}', 1],
  ]);
  assertEquals([...families.get("seconds")!.samples], [
    ['seconds_bucket{endpoint="token",le="0.1"}', 2],
    ['seconds_bucket{endpoint="token",le="1"}', 3],
    ['seconds_bucket{endpoint="token",le="+Inf"}', 4],
    ['seconds_sum{endpoint="token"}', 7.65],
    ['seconds_count{endpoint="token"}', 4],
  ]);
  assertEquals(families.get("running")!.samples.get("running"), 3);
  assertEquals([...families.values()].map(({ type }) => type), ["counter", "histogram", "gauge", "gauge"]);
});

test("exposition: a metric without a value has its help and its type", () => {
  const { counter, format } = createRegistry();
  counter("a_total", "A \\ and\na line.", []);
  assertEquals(format(), "# HELP a_total A \\\\ and\\na line.\n# TYPE a_total counter\n");
  assertEquals(readExposition(format()).get("a_total")?.samples.size, 0);
});

test("exposition: a foreign parser reads the values, and labels with quotes, backslashes and line breaks", () => {
  const { counter, histogram, format } = createRegistry();
  const rule = 'RFC 7636 §4.6 "S256" \\new';
  counter("refusals_total", "Refusals.", ["rule"])(rule);
  counter("lines_total", "Lines.", ["text"])("two\nlines");
  histogram("seconds", "Times.", [], [1])(0.5);
  readExposition(format());
  const [refusals, lines, seconds] = parseForeign(format());
  assertEquals(refusals?.metrics, [{ value: "1", labels: { rule } }]);
  assertEquals(lines?.metrics[0]?.labels, { text: "two\nlines" });
  assertEquals([seconds?.type, seconds?.help], ["HISTOGRAM", "Times."]);
  assertEquals(seconds?.metrics[0]?.buckets, { "1": "1", "+Inf": "1" });
});

test("exposition: labels that never end are counted together", () => {
  const { counter, format } = createRegistry();
  const count = counter("a_total", "A.", ["label"]);
  for (let each = 0; each < 2500; each++) count(`${each}`);
  const { samples } = readExposition(format()).get("a_total")!;
  assertEquals([samples.size, samples.get('a_total{label="other"}')], [2001, 500]);
});

test("exposition: a request during which the clock of the server was turned back took no time", () => {
  const { count, format } = createServerMetrics("0.1.0", 0);
  count({ facts: { endpoint: "token" }, duration: -3600, response: { status: 200 } } as never);
  const { samples } = readExposition(format()).get("postern_request_duration_seconds")!;
  assertEquals(samples.get('postern_request_duration_seconds_sum{endpoint="token"}'), 0);
});
