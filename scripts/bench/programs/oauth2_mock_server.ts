/** The peer `oauth2-mock-server`, as its README sets it up. Run as a process: `oauth2_mock_server PORT ALG`. */
import { OAuth2Server } from "oauth2-mock-server";
import process from "node:process";

const [port, alg = "ES256"] = process.argv.slice(2);
const server = new OAuth2Server();
await server.issuer.keys.generate(alg);
await server.start(Number(port), "127.0.0.1");
