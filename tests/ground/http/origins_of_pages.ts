/** Origins of pages on this machine, and of pages of the internet that look like them. */

export const localOrigins: readonly string[] = [
  ...["http://localhost:9000", "http://localhost:3000", "https://localhost:3000", "http://127.0.0.1:3000"],
  ...["http://[::1]:3000", "http://[::1]", "http://shop.localhost:3000", "http://a.b.localhost"],
];

export const foreignOrigins: readonly string[] = [
  ...["https://evil.example", "https://app.test", "http://192.168.0.7:3000", "http://10.0.0.1"],
  ...[
    "chrome-extension://abcdefghijklmnop",
    "file://",
    "null",
    "",
    "localhost",
    "http://localhost:3000 https://evil.dev",
  ],
  ...["localhost", "127.0.0.1", "[::1]", "shop.localhost", ".localhost"].flatMap((local) => [
    ...[`http://${local}.evil.example`, `http://x.${local}.evil.example`, `http://${local}evil.example`],
    ...[
      `http://${local}-evil.example:9000`,
      `http://evil.example/${local}`,
      `http://evil.example?x=.${local}`,
    ],
    ...[
      `http://evil.example#x.${local}`,
      `http://${local}@evil.example`,
      `http://evil.example:80/x.${local}`,
    ],
    `http://${local.replace(".localhost", ".localhost.localhost.evil.example")}.dev`,
  ]),
  ...["http://evillocalhost", "http://x.evillocalhost", "http://localhostx", "http://x.localhosts"],
  ...["http://127.0.0.1.localhost.evil.dev", "http://1127.0.0.1", "http://127.0.0.11", "http://[::11]"],
];
