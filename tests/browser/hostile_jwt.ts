/** A JWT that nobody signed, whose members are as inconvenient as its sender can make them. */

import { Buffer } from "node:buffer";

export function hostileJwt(): string {
  const deep = `${'{"in":'.repeat(200)}1${"}".repeat(200)}`;
  const many = Array.from({ length: 200 }, (_, at) => `"claim_${at}":${at}`);
  const payload = [
    '"iss":"https://attacker.example"',
    '"sub":"<script>alert(1)</script>"',
    '"sub":"a second subject"',
    `"name":"left ${"\u202e"}thgir ${"\u200b"}and \\u0000 nothing"`,
    `"big":"${"<&".repeat(5_000)}"`,
    `"${"long_name_".repeat(50)}":true`,
    '"number":123456789012345678901234567890',
    '"exp":1e300',
    '"iat":"yesterday"',
    '"aud":[{"id":["a",{"b":[]}]},null,"demo"]',
    `"deep":${deep}`,
    ...many,
  ];
  const encode = (json: string) => Buffer.from(json).toString("base64url");
  return `${encode('{"alg":"none","typ":"JWT"}')}.${encode(`{${payload.join(",")}}`)}.`;
}
