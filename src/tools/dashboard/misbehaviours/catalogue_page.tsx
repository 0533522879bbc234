/** The page `/misbehaviours`: what is wrong now, and the ways in which the server can be wrong. */
/** @jsxImportSource preact */

import { type ComponentChildren, Fragment, type VNode } from "preact";
import type { Page } from "../frame/dashboard_document.tsx";
import {
  ActionButton,
  LookAgain,
  MarkedVerdict,
  type ShownVerdict,
  SwitchOff,
  TableForm,
  wrongPage,
  type WrongProps,
} from "./misbehaviour_parts.tsx";
import { Choice, Field } from "../parts/field.tsx";
import { BreakableName, Section, Table, type TableColumn } from "../../../server/pages/parts.tsx";
import { PageForm, PageLink, TokenForm } from "../parts/pass.tsx";
import type { DescribedMisbehaviour } from "../../../kit/faults/choose.ts";
import type { FaultySide } from "../../../kit/faults/names.ts";
import { visible } from "../../../ground/values/visible.ts";
import { levels } from "../../../kit/faults/misbehaviour.ts";
import { englishMisbehaviours, type MisbehaviourWords } from "./misbehaviours_english.ts";

const { catalogue: words, on: onWords, levels: levelWords } = englishMisbehaviours;

export interface ListedMisbehaviour extends DescribedMisbehaviour {
  readonly href: string;
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

interface ShownArea {
  readonly name: string;
  /** How many misbehaviours of each level fit. */
  readonly counts: readonly { readonly count: number; readonly href: string }[];
  readonly href: string;
}

export interface CatalogueProps extends WrongProps {
  readonly query: string;
  readonly area: string;
  readonly level: string;
  readonly areas: readonly ShownArea[];
  /** The misbehaviours that fit. Absent: they are too many for one page. */
  readonly found?: readonly ListedMisbehaviour[];
  /** Whether each that was found can be switched on in the list. */
  readonly hasSwitches: boolean;
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
      lead: words.about(props.total),
      scripts: ["filter.js", "live.js"],
    },
    props,
    <OnNow {...props} />,
    props.ended.length > 0 && <Ended {...props} />,
    <Search {...props} />,
    <div id="found">
      <Found {...props} />
    </div>,
  );
}

/** The sheet hides the section while it is empty. */
function OnNow({ on, isRight, form, address }: CatalogueProps): VNode {
  const { name, terms, answers, verdict } = onWords.columns;
  return (
    <Section id="on" heading={words.on}>
      <div id="on" data-live>
        {on.length > 0 && (
          <TableForm
            form={form}
            rows={on}
            attributesOf={({ id }) => ({ id })}
            columns={[
              [name, (each) => <NameLink {...each} />, "name"],
              [terms, (each) => visible(onWords.terms(each.terms)), "under"],
              [answers, ({ count }) => count, "end"],
              [verdict, (each) => each.verdict !== undefined && <MarkedVerdict {...each.verdict} />, "under"],
            ]}
            action={[words.action, ({ id, name }) => <SwitchOff id={id} name={name} />, "end"]}
          />
        )}
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

function Ended({ ended }: CatalogueProps): VNode {
  const { name, verdict } = onWords.columns;
  return (
    <Section id="ended" heading={onWords.ended}>
      <Table
        id="ended"
        rows={ended}
        columns={[
          [name, (each) => <NameLink {...each} />, "name"],
          [verdict, (each) => each.verdict !== undefined && <MarkedVerdict {...each.verdict} />],
        ]}
      />
    </Section>
  );
}

function NameLink({ name, href }: Pick<OnMisbehaviour, "name" | "href">): VNode {
  return (
    <PageLink href={href}>
      <BreakableName name={name} />
    </PageLink>
  );
}

function Search({ query, area, level, areas }: CatalogueProps): VNode {
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
        options={[
          any,
          ...levels.map((name) => ({ value: name, text: words.levelOption(name, levelWords.client[name]) })),
        ]}
      />
      <button type="submit" class="button" id="send-search">{words.send}</button>
    </PageForm>
  );
}

function Found(props: CatalogueProps): VNode {
  const { found, hasSwitches, form, count, query, area, level, sections } = props;
  const isFiltered = query + area + level !== "";
  return (
    <>
      <p id="count" role="status">
        {found === undefined ? words.tooMany(count) : words.found(count)}
        {found !== undefined && form !== undefined && !hasSwitches && words.withoutSwitches}{" "}
        {isFiltered && <a href={sections.find(({ name }) => name === "misbehaviours")!.href}>{words.all}</a>}
      </p>
      {found === undefined ? <Areas {...props} /> : <Listed {...props} />}
    </>
  );
}

function Areas({ areas }: CatalogueProps): VNode {
  return (
    <>
      <ul class="links aside" id="levels">
        {levels.map((level) => (
          <li key={level}>
            <b>{level}</b> {levelWords.client[level]}
          </li>
        ))}
      </ul>
      <Table
        id="areas"
        rows={areas.filter((area) => countAll(area) > 0)}
        columns={[
          [words.area, ({ name, href }) => <PageLink href={href}>{words.areas(name)}</PageLink>],
          [words.count, countAll, "end"],
          ...levels.map((level, at): TableColumn<ShownArea> => [level, ({ counts }) => {
            const { count, href } = counts[at]!;
            return count > 0 && <PageLink href={href}>{count}</PageLink>;
          }, "end wide"]),
        ]}
      />
    </>
  );
}

function countAll({ counts }: ShownArea): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** The misbehaviours of each level, each with its switch. The rows have little markup, because an area has many. */
function Listed({ found = [], hasSwitches, form, area, areas }: CatalogueProps): VNode {
  const counts = areas.find(({ name }) => name === area)?.counts;
  return (
    <>
      {levels.map((level, at) => {
        const rows = found.filter((each) => each.level === level);
        const heading = words.group(level, rows.length);
        return rows.length > 0 && (
          <Fragment key={level}>
            <h2>
              {hasSwitches ? heading : <PageLink href={counts![at]!.href}>{heading}</PageLink>}{" "}
              <small>{levelWords[rows[0]!.api === undefined ? "client" : "api"][level]}</small>
            </h2>
            <TableForm
              form={hasSwitches ? form : undefined}
              rows={rows}
              columns={[
                // The area stands in the heading of the column if all rows are of one.
                [words.columns.name(area), ({ name, area: own, href }) => (
                  <PageLink href={href}>
                    {area === "" && <small>{own}.</small>}
                    <BreakableName name={name.slice(own.length + 1)} />
                  </PageLink>
                ), "name"],
                [words.columns.server, (each) => each.server, "under"],
              ]}
              action={[words.action, switchOf, "end"]}
            />
          </Fragment>
        );
      })}
    </>
  );
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
