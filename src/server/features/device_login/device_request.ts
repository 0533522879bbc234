/** The record of a device login. Its id is the id of the future grant, so an approval and a denial are one conditional put. */

import type { Pair } from "../../../ground/http/form.ts";
import { type Kind, limitAttempts } from "../../store/store.ts";
import {
  createId,
  createSecret,
  findByCredential,
  formatCredential,
  hashSecret,
} from "../../oauth/secrets/credential.ts";
import type { Timed } from "../../oauth/options/clock_skew.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import type { OfIssuer } from "../../oauth/contracts/grant.ts";
import type { Confirmation } from "../../oauth/contracts/sender.ts";
import { present } from "../../../ground/values/present.ts";
import { createUserCode, userCodeId } from "./user_code.ts";

export interface DeviceRequest extends OfIssuer, Timed {
  readonly clientId: string;
  readonly secretHash: string;
  readonly params: readonly Pair[];
  /** Without a scope in `params`, that of the issuer at which the device began. The person may answer at another one. */
  readonly defaultScope?: readonly string[];
  readonly confirmation?: Confirmation;
  readonly lifetime: number;
  readonly expiresAt: number;
}

export interface FoundRequest {
  readonly id: string;
  readonly request: DeviceRequest;
}

const deviceRequests: Kind<DeviceRequest> = { name: "device_request" };
const userCodes: Kind<{ readonly requestId: string }> = { name: "user_code" };

// In seconds. The records outlive the login, so that a late poll and a late person learn that it has expired.
const keptAfterwards = 600;

export function keepRequestUntil({ expiresAt }: Pick<DeviceRequest, "expiresAt">): number {
  return expiresAt + keptAfterwards;
}

export async function storeRequest(
  terms: Omit<DeviceRequest, "secretHash" | "expiresAt" | "clock" | "issuer">,
  { store, settings, now, clock, random }: Services,
): Promise<{ readonly id: string; readonly deviceCode: string; readonly userCode: string }> {
  const [id, secret] = [createId(random), createSecret(random)];
  const expiresAt = Math.floor(now()) + terms.lifetime;
  const ofIssuer = present({ issuer: settings.issuerInRecords });
  const request = { ...terms, secretHash: hashSecret(secret), expiresAt, clock, ...ofIssuer };
  const expiry = { expiresAt: keepRequestUntil(request), now: now(), if: null };
  await store.put(deviceRequests, id, request, expiry);
  const deviceCode = formatCredential({ id, secret });
  for (const retry = limitAttempts();; retry()) {
    const userCode = createUserCode(random);
    // The code may be that of another login.
    const version = await store.put(userCodes, userCodeId(userCode), { requestId: id }, expiry);
    if (version !== undefined) return { id, deviceCode, userCode };
  }
}

export async function loadRequest(id: string, { store, now }: Services): Promise<DeviceRequest | undefined> {
  return (await store.get(deviceRequests, id, now()))?.value;
}

export async function findByDeviceCode(code: string, services: Services): Promise<FoundRequest | undefined> {
  const found = await findByCredential(code, deviceRequests, services);
  return found && { id: found.id, request: found.entry.value };
}

export async function findByUserCode(code: string, services: Services): Promise<FoundRequest | undefined> {
  const entry = await services.store.get(userCodes, userCodeId(code), services.now());
  if (entry === undefined) return undefined;
  const { requestId: id } = entry.value;
  const request = await loadRequest(id, services);
  return request && { id, request };
}
