#: if login
# Authlib 1 and Flask:
# pip install authlib flask requests
# Flask __SERVED_NOTE__
# __SIGN_IN_PROBLEM__
#: else if itself
# Authlib 1: pip install authlib requests
#: else
# Authlib 1
#: end
# __SECRET_NOTE__
#: if private_key_jwt
# private_key: the private key that belongs to the client's jwks, as ECKey.import_key(...) of joserfc.jwk
#: end
#: if not login
#: if not itself
# __SIGN_IN_PROBLEM__
#: end
#: end
#: if runs
#: if secret
import os

#: end
#: if client_secret_jwt
from authlib.oauth2.rfc7523 import ClientSecretJWT
#: else if private_key_jwt
from authlib.oauth2.rfc7523 import PrivateKeyJWT
#: end
#: end
#: if login
from authlib.integrations.flask_client import OAuth
from flask import Flask

app = Flask(__name__)
app.secret_key = "for development only"
postern = OAuth(app).register(
    "postern",
    server_metadata_url=__DISCOVERY_URL__,
    client_id=__CLIENT_ID__,
#: if secret
    client_secret=os.environ["OAUTH_CLIENT_SECRET"],
#: else if private_key_jwt
    client_secret=private_key,
#: end
#: if client_secret_jwt
    client_auth_methods=[ClientSecretJWT(__ISSUER__, alg="HS256")],
#: else if private_key_jwt
    client_auth_methods=[PrivateKeyJWT(__ISSUER__, alg="ES256")],
#: end
    client_kwargs={
        "scope": __SCOPE__,
        "token_endpoint_auth_method": "__METHOD__",
        "code_challenge_method": "S256",
    },
)


@app.get("__LOGIN_PATH__")
def login():
    return postern.authorize_redirect(__SERVED_URI__)


@app.get(__SERVED_PATH__)
def callback():
    token = postern.authorize_access_token()
#: if openid
    return dict(postern.userinfo(token=token))
#: else
    return {"scope": token["scope"]}
#: end


app.run(port=__SERVED_PORT__)
#: else if itself
from authlib.integrations.requests_client import OAuth2Session

session = OAuth2Session(
#: if secret
    __CLIENT_ID__, os.environ["OAUTH_CLIENT_SECRET"], token_endpoint_auth_method="__METHOD__"
#: else
    __CLIENT_ID__, private_key, token_endpoint_auth_method="__METHOD__"
#: end
)
#: if client_secret_jwt
session.register_client_auth_method(ClientSecretJWT(__ISSUER__, alg="HS256"))
#: else if private_key_jwt
session.register_client_auth_method(PrivateKeyJWT(__ISSUER__, alg="ES256"))
#: end
session.fetch_token(__TOKEN_URL__, grant_type="client_credentials")
print(session.get("http://localhost:8000/your/api").text)
#: end
