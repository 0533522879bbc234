/** Leaves out values of an exchange, so that its page stays small after a request with many or long values. */

import type { Remark, ShownExchange, ShownMessage } from "../../../kit/timeline/exchange_props.ts";
import type { NamedValue, TokenLine, TokenPart } from "../../../server/pages/token/token_props.ts";
import { present } from "../../../ground/values/present.ts";

// Characters of HTML. With the frame, the style and the scripts, a page has less than 60 KB.
const mostInMessage = 12_000;
const mostInCopies = 6_000;
/** The markup of a value, and its explanation. */
const perValue = 260;
/** The markup of a line of a token, and its meaning. */
const perLine = 120;

export function fitExchange(shown: ShownExchange): ShownExchange {
  const copies = shown.copies.filter(({ text }) => measure(text) < mostInCopies / shown.copies.length);
  return {
    ...shown,
    remarks: fitRemarks(shown),
    request: fitMessage(shown.request),
    response: fitMessage(shown.response),
    copies,
  };
}

/** The parameters come first, because they say more than headers. */
function fitMessage(message: ShownMessage): ShownMessage {
  let left = mostInMessage;
  let omitted = 0;

  function fit(values: readonly NamedValue[]): readonly NamedValue[] {
    return values.flatMap((value) => {
      const cost = costOf(value);
      if (cost > left) {
        const cut = cutValue(value, left);
        if (cut === undefined) omitted++;
        left = Math.max(0, left - (cut === undefined ? 0 : costOf(cut)));
        return cut ?? [];
      }
      left -= cost;
      return [value];
    });
  }

  /** The lines of a JSON body have its values. Besides them, the page has the tokens. */
  function fitJson(json: TokenPart): TokenPart {
    const lines = json.lines.filter((line) => (left -= costOfLine(line)) >= 0);
    left = Math.max(0, left);
    const more = (json.omitted ?? 0) + json.lines.length - lines.length;
    return { ...json, lines, ...present({ omitted: more || undefined }) };
  }

  function fitToken(value: NamedValue): NamedValue {
    if (value.jwt === undefined) return value;
    const cost = costOf(value);
    if (cost <= left) {
      left -= cost;
      return value;
    }
    const { jwt: _jwt, ...rest } = value;
    return rest;
  }

  const { parameters, body, headers, json } = message;
  const fitted = {
    ...message,
    parameters: fit(parameters),
    ...(json === undefined ? { body: fit(body) } : { json: fitJson(json), body: body.map(fitToken) }),
    headers: fit(headers),
  };
  return omitted === 0 ? fitted : { ...fitted, omitted };
}

function costOf({ jwt, ...value }: NamedValue): number {
  const lines = jwt === undefined ? [] : [...jwt.header.lines, ...jwt.payload.lines];
  return lines.reduce((sum, line) => sum + costOfLine(line), measure(value) + perValue);
}

function costOfLine({ text }: TokenLine): number {
  return measure(text) + perLine;
}

const shortestCut = 200;

/** Leaves out the content of a token first, then the end of the text. */
function cutValue({ jwt: _jwt, ...value }: NamedValue, left: number): NamedValue | undefined {
  if (costOf(value) <= left) return value;
  const { text } = value;
  const most = Math.floor((left - perValue - measure(value.name)) / 6);
  if (text === undefined || most < shortestCut) return undefined;
  return { ...value, text: text.slice(0, most).toWellFormed(), cutFrom: value.cutFrom ?? text.length };
}

// Characters of HTML. The first remark, which is the most binding, is always there.
const mostInRemarks = 1_400;
/** The markup of a remark, and the links to its rules. */
const perRemark = 500;

/** Leaves out remarks about an exchange, so that pages stay small while much is wrong at once. Their names stay. */
function fitRemarks({ remarks }: ShownExchange): readonly Remark[] {
  let left = mostInRemarks;
  return remarks.filter((each, at) => {
    left -= measure(each) + perRemark;
    return at === 0 || left >= 0;
  });
}

/** Estimates how many characters of HTML the texts of a value take. */
export function measure(value: unknown): number {
  if (typeof value === "string") {
    // HTML writes markup as several characters, and so does a page with control characters, which it shows as text.
    return value.length + 5 * (value.match(/[&<>"\p{Cc}\p{Cf}]/gu)?.length ?? 0);
  }
  if (typeof value !== "object" || value === null) return 8;
  return Object.values(value).reduce<number>((sum, member) => sum + measure(member), 0);
}
