/** The URLs of a Redis store. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { readRedisUrl, type RedisTarget } from "../../../src/server/store/redis/redis_url.ts";
import { test } from "../../runner.ts";

const server = { form: "server", database: 0 } as const;
const at = (host: string, port = 6379) => ({ addresses: [{ host, port }] });

const read: readonly (readonly [url: string, target: RedisTarget])[] = [
  ["redis://cache", { ...server, ...at("cache") }],
  ["redis://cache:6380/15", { ...server, ...at("cache", 6380), database: 15 }],
  ["redis://cache/", { ...server, ...at("cache") }],
  ["redis://cache:65535/99999", { ...server, ...at("cache", 65535), database: 99999 }],
  ["redis://@cache", { ...server, ...at("cache") }],
  ["redis://[::1]:6380", { ...server, ...at("::1", 6380) }],
  ["redis://:p@cache", { ...server, ...at("cache"), password: "p" }],
  ["redis://ann:p%3A%40%2F:%25@cache", { ...server, ...at("cache"), user: "ann", password: "p:@/:%" }],
  ["redis://a%3An:p@cache", { ...server, ...at("cache"), user: "a:n", password: "p" }],
  ["rediss://cache", { ...server, ...at("cache"), tls: {} }],
  ["rediss://cache?ca=/etc/ca.pem&cert=c&key=k", {
    ...server,
    ...at("cache"),
    tls: { ca: "/etc/ca.pem", cert: "c", key: "k" },
  }],
  ["redis://a,b:7000?cluster=true", {
    form: "cluster",
    addresses: [{ host: "a", port: 6379 }, { host: "b", port: 7000 }],
    database: 0,
  }],
  ["redis://:p@a,b:7000/2?sentinel=mymaster", {
    form: "sentinel",
    addresses: [{ host: "a", port: 26379 }, { host: "b", port: 7000 }],
    sentinelName: "mymaster",
    password: "p",
    database: 2,
  }],
  ["redis+unix:///run/my%20redis.sock", { ...server, addresses: [], socket: "/run/my redis.sock" }],
  ["redis+unix://ann:p@/run/redis.sock?db=2", {
    ...server,
    addresses: [],
    socket: "/run/redis.sock",
    user: "ann",
    password: "p",
    database: 2,
  }],
];

test("redis url: a server, a cluster, Sentinels and a unix socket", () => {
  for (const [url, target] of read) assertEquals(readRedisUrl(url), target, url);
});

const refused: readonly (readonly [url: string, problem: string])[] = [
  ["redis:cache", "its form is redis://user:password@host:port/database"],
  ["xredis://cache", "its form is "],
  ["redis://cache#x", "its form is "],
  ["redis://", "it has no host"],
  ["redis://a,", "it has no host"],
  ["redis://a b", "a host that is not host:port"],
  ["redis://[::1]6380", "a host that is not host:port"],
  ["redis://cache:1:2", "a host that is not host:port"],
  ["redis://cache:65536", "its port 65536 is too large"],
  ["redis://cache:port", "a host that is not host:port"],
  ["redis://cache:66000", "its port 66000 is too large"],
  ["redis://cache/name", "its database is not a number"],
  ["redis://cache/x1", "its database is not a number"],
  ["redis://cache/100000", "its database is not a number"],
  ["redis://cache/1/2", "its database is not a number"],
  ["redis://canary@cache", "for a password alone, write :PASSWORD@host"],
  ["redis://ann:can/ary@cache", "in the password as %2F %3F %23 %40"],
  ["redis://ann:can?ary@cache", "in the password as %2F %3F %23 %40"],
  ["redis://ann:can#ary@cache", "in the password as %2F %3F %23 %40"],
  ["redis://ann:can%ary@cache", "a % that does not begin an escape"],
  ["redis://a,b", "several hosts are a cluster (add ?cluster=true) or Sentinels (add ?sentinel=NAME)"],
  ["redis://a?cluster=1", 'its parameter "cluster" may only be true'],
  ["redis://a/1?cluster=true", "a cluster has database 0 only"],
  ["redis://a?cluster=true&sentinel=b", "it has both cluster and sentinel"],
  ["redis://a?sentinel=", 'its parameter "sentinel" must have one value'],
  ["redis://a?cluster=true&cluster=true", 'its parameter "cluster" must have one value'],
  ["redis://a?ssl=true", 'it has the unknown parameter "ssl"'],
  ["redis://a?db=1", "its database stands after the host"],
  ["redis://a?ca=ca.pem", 'its parameter "ca" is for TLS: write rediss://'],
  ["redis://a?cert=c", 'its parameter "cert" is for TLS: write rediss://'],
  ["redis://a?key=k", 'its parameter "key" is for TLS: write rediss://'],
  ["redis+unix:///run/redis.sock?sentinel=b", "a unix socket is one server"],
  ["redis+unix://", "a unix socket is redis+unix:///path/of/redis.sock"],
  ["redis+unix://cache/run/redis.sock", "a unix socket is redis+unix:///path/of/redis.sock"],
  ["redis+unix:///run/redis.sock?cluster=true", "a unix socket is one server"],
];

test("redis url: each mistake is named, and no error has a part of the password", () => {
  for (const [url, problem] of refused) {
    const error = assertThrows(() => readRedisUrl(url), TypeError, problem);
    assert(error.message.startsWith('Cannot open the store "'), error.message);
    assert(!/can|ary\b/.test(error.message.replace("Cannot", "").replace("cannot", "")), error.message);
  }
});
