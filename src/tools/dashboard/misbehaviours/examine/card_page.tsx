/** The report card of an application that a person has examined. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Page } from "../../frame/dashboard_document.tsx";
import { type VerdictRow, Verdicts } from "./examine_verdicts.tsx";
import { wrongPage, type WrongProps } from "../misbehaviour_parts.tsx";
import { Fact, Section } from "../../../../server/pages/parts.tsx";
import { FileButton, PageLink } from "../../parts/pass.tsx";
import { RuleLinks } from "../../../../server/pages/rule_link.tsx";
import type { DescribedMisbehaviour } from "../../../../kit/faults/choose.ts";
import type { Grade } from "../../../../kit/examine/card/grade.ts";
import { englishMisbehaviours } from "../misbehaviours_english.ts";

const { examine: words, entry } = englishMisbehaviours;

export interface CardProps extends WrongProps {
  /** English sentences: what the logins of the application lack. Empty: nothing. */
  readonly lacks: string;
  readonly rows: readonly VerdictRow[];
  readonly counts: Readonly<Record<Grade, number>>;
  /** How many misbehaviours were skipped, and how many are still to come. */
  readonly skipped: number;
  readonly waiting: number;
  readonly downloads: readonly { readonly label: string; readonly url: string }[];
  readonly examineUrl: string;
}

export function cardPage(props: CardProps): Page {
  const { lacks, rows, counts, skipped, waiting, downloads, examineUrl } = props;
  return wrongPage(
    { section: "examine", heading: words.cardHeading },
    props,
    <p id="summary">
      {rows.length === 0 ? words.emptyCard : words.summary(counts)} {words.waiting(waiting)}{" "}
      {skipped > 0 && `${words.skipped(skipped)}.`}
    </p>,
    <Lacks lacks={lacks} />,
    <p class="onward">
      <PageLink class="button" id="go-on" href={examineUrl}>
        {waiting === 0 ? words.back : words.goOnWith}
      </PageLink>
    </p>,
    grades.map((grade) => <RowsOfGrade key={grade} grade={grade} rows={rows} />),
    rows.length > 0 && (
      <Section id="download" heading={words.download}>
        <p class="aside">{words.downloadNote}</p>
        <ul class="links" id="downloads">
          {downloads.map(({ label, url }) => (
            <li key={url}>
              <FileButton url={url}>{label}</FileButton>
            </li>
          ))}
        </ul>
      </Section>
    ),
  );
}

/** The worst first. */
const grades: readonly Grade[] = ["failed", "unjudged", "advice", "passed"];

function RowsOfGrade({ grade, rows }: Pick<CardProps, "rows"> & { readonly grade: Grade }): VNode | null {
  const chosen = rows.filter((row) => row.grade === grade);
  return chosen.length === 0 ? null : (
    <Section id={grade} heading={words.grades[grade]}>
      <Verdicts id={`verdicts-${grade}`} verdicts={chosen} />
    </Section>
  );
}

export function Fault({ level, server, client, rule, needs }: DescribedMisbehaviour): VNode {
  return (
    <dl class="facts compact">
      <Fact term={entry.server}>{server}</Fact>
      <Fact term={entry.client}>{client}</Fact>
      <Fact term={entry.rule}>
        <RuleLinks rules={rule} /> <span class="tag">{level}</span>
      </Fact>
      {needs !== undefined && <Fact term={entry.needs}>{needs}</Fact>}
    </dl>
  );
}

export function Lacks({ lacks }: Pick<CardProps, "lacks">): VNode | null {
  return lacks === "" ? null : <p id="lacks">{lacks}</p>;
}
