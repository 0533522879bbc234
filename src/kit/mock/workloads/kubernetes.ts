/** Kubernetes: the service account token of a pod, from a projected volume or the TokenRequest API. */

import { isJsonObject } from "../../../ground/schema/json_object.ts";
import { type Platform, readTexts } from "./platform.ts";

// Names are DNS labels or subdomains (RFC 1123).
const usualSubject = /^system:serviceaccount:([a-z0-9-]{1,63}):([a-z0-9.-]{1,253})$/;
const ownClaims = "kubernetes.io";

export const kubernetes: Platform = {
  title: "Kubernetes",
  // Sources:
  // https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/
  // https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/
  // https://github.com/kubernetes/kubernetes/blob/master/pkg/serviceaccount/claims.go
  // https://github.com/kubernetes/kubernetes/blob/master/pkg/serviceaccount/openidmetadata.go
  alg: "RS256",
  lifetime: 3600,
  validBefore: 0,
  hasId: true,
  jwksPath: "/openid/v1/jwks",
  metadata: {
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  },
  subject: {
    form: '"system:serviceaccount:NAMESPACE:NAME"',
    read(sub) {
      const [found, namespace, name] = usualSubject.exec(sub) ?? [];
      if (found === undefined) return undefined;
      return { [ownClaims]: describeAccount(namespace!, name!) };
    },
    write(claims) {
      const own = readObject(claims[ownClaims]);
      const account = readTexts(readObject(own["serviceaccount"]));
      return `system:serviceaccount:${readTexts(own)("namespace", "default")}:${account("name", "default")}`;
    },
  },
  // The API server accepts tokens for its own issuer by default.
  audience: { form: "list", find: (_claims, issuer) => issuer },
  describe: () => ({ [ownClaims]: describeAccount("default", "default") }),
};

function describeAccount(namespace: string, name: string) {
  return {
    namespace,
    node: { name: "node-1", uid: "58456cb0-dd00-45ed-b797-5578fdceaced" },
    pod: { name: `${name}-69cbfb9798-jv9gn`, uid: "778a530c-b3f4-47c0-9cd5-ab018fb64f33" },
    serviceaccount: { name, uid: "a087d5a0-e1dd-43ec-93ac-f13d89cd13af" },
  };
}

function readObject(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}
