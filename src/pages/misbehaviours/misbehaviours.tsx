/** The page `/misbehaviours`: what is wrong now, and the ways in which the server can be wrong. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Page } from "../document.tsx";
import {
  Choice,
  DeedButton,
  Field,
  LookAgain,
  MisbehaviourName,
  type ShownVerdict,
  VerdictLine,
  VerdictText,
  wrongPage,
  type WrongProps,
} from "./misbehaviour_parts.tsx";
import { Fact, Section } from "../parts.tsx";
import { PageForm, PageLink, TokenForm } from "../pass.tsx";
import { visible } from "../visible.ts";
import type { LevelName } from "../words/levels_english.ts";
import { englishMisbehaviours, type MisbehaviourWords } from "../words/misbehaviours_english.ts";

const { catalogue: words, on: onWords, levels: { client: levelWords } } = englishMisbehaviours;

export interface ListedMisbehaviour {
  readonly name: string;
  readonly href: string;
  readonly level: LevelName;
  /** What the server does, in a sentence. */
  readonly server: string;
  readonly isOn: boolean;
}

/** A misbehaviour that is on. */
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
  /** The areas with the number of their misbehaviours that fit, and the address that shows them. */
  readonly areas: readonly { readonly name: string; readonly count: number; readonly href: string }[];
  /** The misbehaviours that fit, by area. Absent: they are too many for one page. */
  readonly found?: readonly { readonly area: string; readonly entries: readonly ListedMisbehaviour[] }[];
  /** How many misbehaviours fit, and how many there are. */
  readonly count: number;
  readonly total: number;
  readonly on: readonly OnMisbehaviour[];
  /** What the person has switched off, the newest first. */
  readonly ended: readonly OnMisbehaviour[];
  /** The titles of the providers that the server looks like. */
  readonly looksLike: readonly { readonly title: string; readonly href: string }[];
  readonly closedGates: { readonly count: number; readonly href: string };
  readonly clock: { readonly isTurned: boolean; readonly href: string };
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

function OnNow(props: CatalogueProps): VNode {
  const { on, looksLike, closedGates, clock, form, address } = props;
  const others = looksLike.length + closedGates.count + (clock.isTurned ? 1 : 0);
  const isRight = on.length + others === 0;
  return (
    <Section id="on" heading={words.on}>
      <div id="on" data-live>
        {isRight && <p>{words.nothingOn}</p>}
        {on.length > 0 && (
          <ul class="cards">{on.map((each) => <OnCard key={each.id} {...each} form={form} />)}</ul>
        )}
        {others > 0 && (
          <ul class="links">
            {looksLike.map(({ title, href }) => (
              <li key={title}>
                <a href={href}>{title}</a>
              </li>
            ))}
            {closedGates.count > 0 && (
              <li>
                <a href={closedGates.href}>{words.gates(closedGates.count)}</a>
              </li>
            )}
            {clock.isTurned && (
              <li>
                <a href={clock.href}>{words.clock}</a>
              </li>
            )}
          </ul>
        )}
        {!isRight && (
          <TokenForm form={form} class="onward">
            <DeedButton deed="restore">{words.restore}</DeedButton>
            <p class="aside">{words.restoreNote}</p>
          </TokenForm>
        )}
      </div>
      {on.length > 0 && <LookAgain href={address} />}
    </Section>
  );
}

/** What clients did while these misbehaviours were on. */
function Ended({ ended }: CatalogueProps): VNode {
  return (
    <Section id="ended" heading={onWords.ended}>
      <dl class="facts pairs verdicts" id="ended">
        {ended.map(({ id, name, href, verdict }) => (
          <Fact key={id} term={<MisbehaviourName name={name} href={href} />}>
            {verdict !== undefined && <VerdictText {...verdict} />}
          </Fact>
        ))}
      </dl>
    </Section>
  );
}

function OnCard(
  { id, name, href, terms, count, verdict, form }: OnMisbehaviour & Pick<WrongProps, "form">,
): VNode {
  return (
    <li class="card" id={id}>
      <h3>
        <MisbehaviourName name={name} href={href} />
      </h3>
      <p class="aside">{visible(onWords.terms(terms))}</p>
      <p>{onWords.count(count)}</p>
      {verdict !== undefined && <VerdictLine {...verdict} />}
      <TokenForm form={form}>
        <DeedButton deed="switch_off" of={id} unseen={onWords.offName(name)}>{onWords.off}</DeedButton>
      </TokenForm>
    </li>
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

function Found({ found, areas, count, query, area, level, sections }: CatalogueProps): VNode {
  const isFiltered = query + area + level !== "";
  return (
    <>
      <p id="count" role="status">
        {words.found(count)}{" "}
        {isFiltered && <a href={sections.find(({ name }) => name === "misbehaviours")!.href}>{words.all}</a>}
      </p>
      {found === undefined
        ? (
          <>
            <p class="aside">{words.tooMany}</p>
            <ul class="columns" id="areas">
              {areas.filter((each) => each.count > 0).map(({ name, count, href }) => (
                <li key={name}>
                  <PageLink href={href}>{words.areas(name)}</PageLink> <span class="aside">{count}</span>
                </li>
              ))}
            </ul>
          </>
        )
        : found.map(({ area, entries }) => (
          <section key={area} aria-labelledby={`area-${area}`}>
            <h3 id={`area-${area}`}>{words.areas(area)}</h3>
            <dl class="facts pairs verdicts">
              {entries.map(({ name, href, level, server, isOn }) => (
                <Fact key={name} term={<MisbehaviourName name={name} href={href} />}>
                  {server}{" "}
                  <span class="tags">
                    {isOn && <strong class="tag lit">{words.isOn}</strong>}
                    <span class="tag">{level}</span>
                  </span>
                </Fact>
              ))}
            </dl>
          </section>
        ))}
    </>
  );
}
