module github.com/postern/postern/kits/go/tests

go 1.26.0

require (
	github.com/MicahParks/keyfunc/v3 v3.9.1
	github.com/coreos/go-oidc/v3 v3.21.0
	github.com/golang-jwt/jwt/v5 v5.3.1
	github.com/postern/postern/kits/go v0.0.0
	golang.org/x/mod v0.43.0
	golang.org/x/oauth2 v0.38.0
)

require (
	github.com/MicahParks/jwkset v0.11.4 // indirect
	github.com/go-jose/go-jose/v4 v4.1.4 // indirect
	golang.org/x/time v0.15.0 // indirect
)

replace github.com/postern/postern/kits/go => ../
