"""An API that Authlib protects."""
import os

import requests
from authlib.integrations.flask_oauth2 import ResourceProtector
from authlib.oauth2.rfc9068 import JWTBearerTokenValidator
from flask import Flask

cache = {}


class Validator(JWTBearerTokenValidator):
    def get_jwks(self):
        if "jwks" not in cache:
            metadata = requests.get(f"{self.issuer}/.well-known/oauth-authorization-server").json()
            cache["jwks"] = requests.get(metadata["jwks_uri"]).json()
        return cache["jwks"]


require_oauth = ResourceProtector()
require_oauth.register_token_validator(Validator(issuer=os.environ["ISSUER"], resource_server="https://api.test"))
app = Flask(__name__)


@app.route("/orders")
@require_oauth("orders")
def orders():
    return "ok"


app.run(port=int(os.environ["PORT"]))
