/** The URL of a Postgres database. */
import { assertEquals, assertThrows } from "@std/assert";
import {
  type PostgresAddress,
  readPostgresUrl,
} from "../../../src/server/store/postgres/read_postgres_url.ts";
import { test } from "../../runner.ts";

const plain: PostgresAddress = {
  shown: "postgres://ann@db/shop",
  hosts: [{ name: "db", port: 5432 }],
  user: "ann",
  password: "",
  database: "shop",
  tls: { mode: "prefer" },
  prepares: true,
  settings: { application_name: "postern" },
};

test("postgres url: its parts and parameters are read as libpq reads them", () => {
  const cases: readonly (readonly [url: string, differences: Partial<PostgresAddress>])[] = [
    ["postgres://ann@db/shop", {}],
    ["postgresql://ann@db/shop", { shown: "postgresql://ann@db/shop" }],
    ["postgres://ann:p%40%3A%2F%3F%23%25@db/shop", { password: "p@:/?#%" }],
    ["postgres://ann:p@:w@db/shop", { password: "p@:w" }],
    ["POSTGRES://a%6en@db:5432/shop", { shown: "POSTGRES://a%6en@db:5432/shop" }],
    ["postgres://ann@db:65535/shop", {
      shown: "postgres://ann@db:65535/shop",
      hosts: [{ name: "db", port: 65535 }],
    }],
    ["postgres://ann@db", { shown: "postgres://ann@db", database: "ann" }],
    ["postgres://ann@db:5433/a%20b", {
      shown: "postgres://ann@db:5433/a%20b",
      hosts: [{ name: "db", port: 5433 }],
      database: "a b",
    }],
    ["postgres://ann@[::1]:5433,db/shop", {
      shown: "postgres://ann@[::1]:5433,db/shop",
      hosts: [{ name: "::1", port: 5433 }, { name: "db", port: 5432 }],
    }],
    ["postgres://ann@/shop?host=/run/postgresql", {
      shown: "postgres://ann@/shop",
      hosts: [{ name: "/run/postgresql", port: 5432 }],
    }],
    ["postgres://ann@db/shop?sslmode=verify-full&sslrootcert=ca.pem&sslcert=a.crt&sslkey=a.key", {
      tls: { mode: "verify-full", authority: "ca.pem", certificate: "a.crt", key: "a.key" },
    }],
    ["postgres://ann@db/shop?sslmode=require&channel_binding=prefer", { tls: { mode: "require" } }],
    ["postgres://ann@db/shop?sslmode=disable&prepare=true&pool_size=999999", {
      tls: { mode: "disable" },
      poolSize: 999_999,
    }],
    ["postgres://ann@db/shop?sslmode=prefer&channel_binding=disable", {}],
    ["postgres://ann@db/shop?sslmode=verify-ca", { tls: { mode: "verify-ca" } }],
    ["postgres://ann@db/shop?sslmode=require&sslrootcert=ca.pem", {
      tls: { mode: "verify-ca", authority: "ca.pem" },
    }],
    ["postgres://ann@db/shop?sslmode=require&sslrootcert=system", { tls: { mode: "require" } }],
    ["postgres://ann@db/shop?sslrootcert=system", { tls: { mode: "verify-full" } }],
    ["postgres://ann@db/shop?prepare=false&pool_size=20&connect_timeout=30", {
      prepares: false,
      poolSize: 20,
      connectTimeout: 30,
    }],
    ["postgres://ann@db/shop?search_path=postern&application_name=a%26b&options=-c%20x%3D1", {
      settings: { application_name: "a&b", search_path: "postern", options: "-c x=1" },
    }],
  ];
  for (const [url, differences] of cases) {
    assertEquals(readPostgresUrl(url), { ...plain, ...differences }, url);
  }
});

test("postgres url: a mistake is refused without the password", () => {
  const cases: readonly (readonly [url: string, reason: string])[] = [
    [
      "postgres://",
      "its URL has no user: postgres://USER:PASSWORD@HOST/DATABASE, with special characters encoded",
    ],
    ["postgres://db/shop", "its URL has no user: "],
    ["xpostgres://ann@db/shop", "its URL is not postgres://USER:PASSWORD@HOST/DATABASE"],
    ["postgres://ann@db/shop#x", "its URL is not postgres://USER:PASSWORD@HOST/DATABASE"],
    ["postgres://ann@db,/shop", "its URL has no host, or no port that exists"],
    ["postgres://ann@db:65536/shop", "its URL has no host, or no port that exists"],
    ["postgres://ann:canary@/shop", "its URL has no host, or no port that exists"],
    ["postgres://ann:canary@db:99999/shop", "its URL has no host, or no port that exists"],
    ["postgres://ann:canary@db:port/shop", "its URL has no host, or no port that exists"],
    [
      "postgres://ann:can/ary@db/shop",
      "its URL is not postgres://USER:PASSWORD@HOST/DATABASE, with special ",
    ],
    ["postgres://ann:can?ary@db/shop", "its URL has no user: postgres://USER:PASSWORD@HOST/DATABASE, with "],
    [
      "postgres://ann:can%ary@db/shop",
      'its URL has a "%" that does not begin an encoded character: write "%25"',
    ],
    ["postgres://ann:canary@db/a/b", "its URL is not postgres://"],
    ["postgres://ann:canary@db/shop?sslmode=strict", "its sslmode must be one of disable, prefer, require, "],
    ["postgres://ann:canary@db/shop?sslmode=constructor", "its sslmode must be one of "],
    ["postgres://ann:canary@db/shop?sslcert=a.crt", "it needs both sslcert and sslkey, or neither"],
    [
      "postgres://ann:canary@db/shop?channel_binding=require",
      "it cannot bind the channel: use sslmode=verify-full ",
    ],
    [
      "postgres://ann:canary@db/shop?pgbouncer=true",
      'its URL has the parameter "pgbouncer", and known are sslmode, ',
    ],
    ["postgres://ann@db/shop?password=canary", 'its URL has the parameter "password", and known are '],
    ["postgres://ann@org:can?ary@db/shop", "its URL is not postgres://USER:PASSWORD@HOST/DATABASE, with "],
    ["postgres://ann:canary@db/shop?prepare=no", "its prepare must be true or false"],
    ["postgres://ann:canary@db/shop?sslkey=a.key", "it needs both sslcert and sslkey, or neither"],
    ...["0", "1000000", "5x", "x5"].map((size) =>
      [`postgres://ann:canary@db/shop?pool_size=${size}`, "its pool_size must be a number from 1"] as const
    ),
  ];
  for (const [url, reason] of cases) {
    const { message } = assertThrows(() => readPostgresUrl(url), TypeError, reason);
    assertEquals(message.includes("ary"), false, message);
  }
});
