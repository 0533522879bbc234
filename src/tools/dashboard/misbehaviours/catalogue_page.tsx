/** The page `/misbehaviours`: what is wrong now, and the ways in which the server can be wrong. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import type { Page } from "../frame/dashboard_document.tsx";
import {
  ActionButton,
  Choice,
  LookAgain,
  MarkedVerdict,
  type ShownVerdict,
  wrongPage,
  type WrongProps,
} from "./misbehaviour_parts.tsx";
import { Field } from "../parts/field.tsx";
import { BreakableName, Section } from "../../../server/pages/parts.tsx";
import { type Column, Head } from "../../guard/table.tsx";
import { PageForm, PageLink, TokenForm } from "../parts/pass.tsx";
import type { FaultySide } from "../../../kit/faults/names.ts";
import { visible } from "../../../ground/values/visible.ts";
import type { LevelName } from "../../../kit/timeline/levels_english.ts";
import { englishMisbehaviours, type MisbehaviourWords } from "./misbehaviours_english.ts";

const { catalogue: words, on: onWords, levels: { client: levelWords } } = englishMisbehaviours;

export interface ListedMisbehaviour {
  readonly name: string;
  readonly href: string;
  readonly level: LevelName;
  /** What the server does, in a sentence. */
  readonly server: string;
  readonly faultySide: FaultySide;
  /** The id under which it is on. */
  readonly on?: string;
}

export interface OnMisbehaviour {
  readonly id: string;
  readonly name: string;
  readonly href: string;
  readonly terms: Parameters<MisbehaviourWords["on"]["terms"]>[0];
  /** How many answers were wrong. */
  readonly count: number;
  /** The verdict that the requests prove, or the final one. */
  readonly verdict?: ShownVerdict;
}

export interface CatalogueProps extends WrongProps {
  readonly query: string;
  readonly area: string;
  readonly level: string;
  readonly levels: readonly LevelName[];
  readonly areas: readonly {
    readonly name: string;
    /** How many misbehaviours of each level fit. */
    readonly counts: readonly { readonly count: number; readonly href: string }[];
    readonly href: string;
  }[];
  /** The misbehaviours that fit. Absent: they are too many for one page. */
  readonly found?: readonly ListedMisbehaviour[];
  /** How many misbehaviours fit, and how many there are. */
  readonly count: number;
  readonly total: number;
  readonly on: readonly OnMisbehaviour[];
  readonly ended: readonly OnMisbehaviour[];
  /** Whether nothing is wrong, also the clock, the gates and the look-alikes. */
  readonly isRight: boolean;
}

export function cataloguePage(props: CatalogueProps): Page {
  return wrongPage(
    {
      section: "misbehaviours",
      heading: words.heading,
      lead: words.about(props.total),
      scripts: ["filter.js", "live.js"],
      main: (
        <>
          <OnNow {...props} />
          {props.ended.length > 0 && <Ended {...props} />}
          <Section id="find" heading={words.find}>
            <Search {...props} />
            <div id="found">
              <Found {...props} />
            </div>
          </Section>
        </>
      ),
    },
    props,
  );
}

function OnNow({ on, isRight, form, address }: CatalogueProps): VNode {
  return (
    <Section id="on" heading={words.on}>
      <div id="on" data-live>
        {isRight && <p>{words.nothingOn}</p>}
        {on.length > 0 && (
          <TokenForm form={form}>
            <OnTable on={on} hasAction />
          </TokenForm>
        )}
        {on.length > 0 && form === undefined && <OnTable on={on} hasAction={false} />}
        {!isRight && (
          <TokenForm form={form} class="onward">
            <ActionButton action="restore">{words.restore}</ActionButton>
            <p class="aside">{words.restoreNote}</p>
          </TokenForm>
        )}
      </div>
      {on.length > 0 && <LookAgain href={address} />}
    </Section>
  );
}

function OnTable(
  { on, hasAction }: { readonly on: readonly OnMisbehaviour[]; readonly hasAction: boolean },
): VNode {
  const { name, terms, answers, verdict } = onWords.columns;
  return (
    <table class="rows">
      <Head
        columns={[name, [terms, "under"], [answers, "end"], [verdict, "under"]]}
        action={hasAction ? words.action : undefined}
      />
      <tbody>
        {on.map((each) => (
          <tr key={each.id} id={each.id}>
            <NameCell {...each} />
            <td class="under">{visible(onWords.terms(each.terms))}</td>
            <td class="end">{each.count}</td>
            <td class="under">{each.verdict !== undefined && <MarkedVerdict {...each.verdict} />}</td>
            {hasAction && (
              <td class="end">
                <ActionButton action="switch_off" of={each.id} unseen={onWords.offName(each.name)}>
                  {onWords.off}
                </ActionButton>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Ended({ ended }: CatalogueProps): VNode {
  const { name, verdict } = onWords.columns;
  return (
    <Section id="ended" heading={onWords.ended}>
      <table class="rows" id="ended">
        <Head columns={[name, verdict]} />
        <tbody>
          {ended.map((each) => (
            <tr key={each.id}>
              <NameCell {...each} />
              <td>{each.verdict !== undefined && <MarkedVerdict {...each.verdict} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function NameCell({ name, href }: Pick<ListedMisbehaviour, "name" | "href">): VNode {
  return (
    <th scope="row">
      <PageLink href={href}>
        <BreakableName name={name} />
      </PageLink>
    </th>
  );
}

function Search({ query, area, level, levels, areas }: CatalogueProps): VNode {
  const any = { value: "", text: words.any };
  return (
    <PageForm id="search" class="inline" role="search" aria-label={words.search} data-filter="found">
      <Field name="q" type="search" label={words.search} value={query} hint={words.hint} />
      <Choice
        name="area"
        label={words.area}
        value={area}
        options={[any, ...areas.map(({ name }) => ({ value: name, text: words.areas(name) }))]}
      />
      <Choice
        name="level"
        label={words.level}
        value={level}
        options={[any, ...levels.map((name) => ({ value: name, text: levelWords[name] }))]}
      />
      <button type="submit" class="button" id="send-search">{words.send}</button>
    </PageForm>
  );
}

function Found(props: CatalogueProps): VNode {
  const { found, count, query, area, level, sections } = props;
  const isFiltered = query + area + level !== "";
  return (
    <>
      <p id="count" role="status">
        {found === undefined ? words.tooMany(count) : words.found(count)}{" "}
        {isFiltered && <a href={sections.find(({ name }) => name === "misbehaviours")!.href}>{words.all}</a>}
      </p>
      {found === undefined ? <Areas {...props} /> : found.length > 0 && <Listed {...props} found={found} />}
    </>
  );
}

function Areas({ areas, levels }: CatalogueProps): VNode {
  const columns = levels.map((level): Column => [level, "end wide"]);
  return (
    <table class="rows" id="areas">
      <Head columns={[words.area, [words.count, "end"], ...columns]} />
      <tbody>
        {areas.map(({ name, counts, href }) => {
          const all = counts.reduce((sum, { count }) => sum + count, 0);
          return all > 0 && (
            <tr key={name}>
              <td>
                <PageLink href={href}>{words.areas(name)}</PageLink>
              </td>
              <td class="end">{all}</td>
              {counts.map(({ count, href }) => (
                <td key={href} class="end wide">
                  {count > 0 && <PageLink href={href}>{count}</PageLink>}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The misbehaviours, each with its switch. The rows of the largest area have little markup. */
function Listed({ found, form }: CatalogueProps & { readonly found: readonly ListedMisbehaviour[] }): VNode {
  const { name, server, level } = words.columns;
  const table = (
    <table class="rows" id="listed">
      <Head columns={[name, [server, "under"], [level, "under"]]} action={form && words.action} />
      <tbody>
        {found.map((each) => (
          <tr key={each.name}>
            <NameCell {...each} />
            <td class="under">{each.server}</td>
            <td class="under">{each.level}</td>
            {form !== undefined && <td class="end">{switchOf(each)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
  return form === undefined ? table : <TokenForm form={form}>{table}</TokenForm>;
}

function switchOf({ name, faultySide, on }: ListedMisbehaviour): ComponentChildren {
  if (faultySide !== "server") return words.elsewhere[faultySide];
  return (
    <button
      class={on === undefined ? "button" : "button primary"}
      {...(on === undefined ? { name: "on", value: name } : { name: "action", value: `switch_off ${on}` })}
    >
      {on === undefined ? words.switchOn : onWords.off}
    </button>
  );
}
