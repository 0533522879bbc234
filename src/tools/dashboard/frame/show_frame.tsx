/** Draws the frame for the pages of the server, which have places for its parts. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { Frame, FrontParts } from "../../../server/pages/pages_terms.ts";
import { Conditions, type EndedCondition } from "./conditions.tsx";
import { FrameBar } from "./frame_bar.tsx";
import type { FrameProps } from "./frame_props.ts";
import { Recent, Snippets, State } from "./front_parts.tsx";

/** `ends`: the condition that a form of the page ends. */
export function showFrame(props: FrameProps, ends?: EndedCondition): Frame {
  const { issuer: _issuer, links: _links, conditions: _conditions, front, ...rest } = props;
  return {
    ...rest,
    styles: ["dashboard.css"],
    bar: (here) => <FrameBar frame={props} here={here} />,
    conditions: () => <Conditions frame={props} ends={ends} />,
    ...(front === undefined ? {} : { front: showFront(props, front) }),
  };
}

function showFront(
  { conditions, mayChange }: FrameProps,
  { snippets, recent, conditionHrefs, store }: NonNullable<FrameProps["front"]>,
): FrontParts {
  const state = { conditions, mayChange, conditionHrefs, ...(store === undefined ? {} : { store }) };
  return {
    styles: ["inspector.css"],
    snippets: (chosen) => snippets === undefined ? null : <Snippets snippets={snippets()} chosen={chosen} />,
    recent: () => <Recent {...recent()} />,
    state: () => <State {...state} />,
  };
}
