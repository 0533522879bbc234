/** Leaves out remarks about an exchange, so that pages stay small while much is wrong at once. Their names stay. */

import type { ExchangeLine, Remark } from "../../pages/inspector/exchange_props.ts";
import { measure } from "./measure.ts";

// Characters of HTML. The first remark, which is the most binding, is always there.
const mostInRemarks = 1_400;
/** The markup of a remark, and the links to its rules. */
const perRemark = 500;

export function fitRemarks<Line extends ExchangeLine>(line: Line): Line {
  let left = mostInRemarks;
  const remarks = line.remarks.filter((each, at) => {
    left -= costOfRemarks([each]);
    return at === 0 || left >= 0;
  });
  return { ...line, remarks };
}

export function costOfRemarks(remarks: readonly Remark[]): number {
  return measure(remarks) + perRemark * remarks.length;
}
