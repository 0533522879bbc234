module go_jwt_middleware

go 1.26.0

require github.com/auth0/go-jwt-middleware/v2 v2.3.1

require (
	golang.org/x/crypto v0.45.0 // indirect
	golang.org/x/sync v0.18.0 // indirect
	gopkg.in/go-jose/go-jose.v2 v2.6.3 // indirect
)
