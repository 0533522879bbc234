/** Answers at `/misbehaviours/examine`: a person examines an application, and reads its card. */

import { download } from "../../download.ts";
import { requireMethod } from "../../../guard/guard.ts";
import { describeCard, describeProgress } from "./describe_progress.ts";
import { createExamination, type Examination, type ExaminationAction } from "./examination.ts";
import { loginAreas } from "./wanted.ts";
import { describeSection, refuseAction } from "../section.ts";
import type { AnswerPage, PageCall } from "../../page.ts";
import { requireChange } from "../../permission.ts";
import type { Answer } from "../../../../ground/http/message.ts";
import { redirect } from "../../../../ground/http/respond.ts";
import { levels } from "../../../../kit/faults/misbehaviour.ts";
import { serverMisbehaviours } from "../../../../kit/faults/names.ts";
import { formatCard } from "../../../../kit/examine/card/format_card.ts";
import type { RunningTenant } from "../../../../kit/mock/running_tenant.ts";
import type { Tenant } from "../../../../kit/mock/tenant.ts";
import { cardPage } from "./card_page.tsx";
import { examinePage } from "./examine_page.tsx";
import type { CardForm } from "../../../../kit/examine/card/card_form.ts";
import { remember } from "../../../../ground/values/remember.ts";
import { present } from "../../../../ground/values/present.ts";

const pagePath = "/examine";
const cardPath = "/examine/card";

interface CardFile {
  readonly name: string;
  readonly label: string;
  readonly form: CardForm;
  readonly type: string;
}

const cardFiles: readonly CardFile[] = [
  { name: "card.html", label: "HTML", form: "html", type: "text/html; charset=utf-8" },
  { name: "card.md", label: "Markdown", form: "markdown", type: "text/markdown; charset=utf-8" },
  { name: "card.xml", label: "JUnit", form: "junit", type: "application/xml" },
  { name: "card.json", label: "JSON", form: "json", type: "application/json" },
];

/** Creates the pages. Each tenant has an examination of its own, which lasts as long as the tenant. */
export function createExaminePages(): AnswerPage {
  const examinations = new WeakMap<RunningTenant<Tenant>, Examination>();

  const findExamination = (kit: RunningTenant<Tenant>) =>
    remember(examinations, kit, () => createExamination(kit));

  return async (call) => {
    const { request, rest, watched: { kit }, mayChange } = call;
    requireMethod(request, rest === cardPath ? ["GET", "HEAD"] : ["GET", "HEAD", "POST"]);
    // The pages say what clients sent, so they are closed to a person who may not change the server.
    const examination = kit !== undefined && mayChange === "yes" ? findExamination(kit) : undefined;
    if (request.method === "POST" && rest === pagePath) {
      const form = call.readChange();
      await examination!.act(readAction(form), Number(form.get("step")));
      return redirect(request.address.path);
    }
    if (rest === pagePath) return showProgress(examination, call);
    requireChange(call);
    const file = cardFiles.find(({ name }) => rest === `/examine/${name}`);
    if (file === undefined) return showCard(examination!, call);
    // The file quotes texts of a client, so it does not run in the origin of this server.
    return download(file.name, file.type, formatCard(examination!.read().card, file.form));
  };
}

/** Whether the path below `/misbehaviours` is one of these pages, or a file of the card. */
export function isExaminePath(rest: string): boolean {
  return rest === pagePath || rest === cardPath || cardFiles.some(({ name }) => rest === `/examine/${name}`);
}

function showProgress(examination: Examination | undefined, call: PageCall): Answer {
  const { pathOf, watched: { services: { settings: { issuer } } } } = call;
  const props = {
    ...describeSection(call),
    issuer,
    cardUrl: pathOf("misbehaviours", cardPath),
    ...present({ progress: examination && describeProgress(examination.read(), call) }),
  };
  return call.show(examinePage(props));
}

function showCard(examination: Examination, call: PageCall): Answer {
  const { pathOf } = call;
  const props = {
    ...describeSection(call),
    ...describeCard(examination.read(), call),
    downloads: cardFiles.map(({ name, label }) => ({
      label,
      url: pathOf("misbehaviours", `/examine/${name}`),
    })),
    examineUrl: pathOf("misbehaviours", pagePath),
  };
  return call.show(cardPage(props));
}

function readAction(form: URLSearchParams): ExaminationAction {
  const repeated = serverMisbehaviours.find((name) => name === form.get("repeat"));
  if (repeated !== undefined) return { kind: "repeat", name: repeated };
  const kind = form.get("action");
  switch (kind) {
    case "choose":
      return {
        kind,
        wanted: { levels: chosen(levels, "level", form), areas: chosen(loginAreas, "area", form) },
      };
    case "success":
    case "error":
    case "nothing":
      return { kind: "answer", shown: kind };
    case "proven":
      return { kind: "answer", shown: "unknown" };
    case "switch_on":
    case "skip":
    case "stop":
    case "go_on":
    case "restart":
      return { kind };
    default:
      return refuseAction();
  }
}

function chosen<T extends string>(known: readonly T[], group: string, form: URLSearchParams): readonly T[] {
  const names = form.getAll(group);
  return known.filter((name) => names.includes(name));
}
