/** A certificate that no authority signed, for tests of what must be refused. It guards nothing. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUL+IC1gGLq3Wq/z9KjqncpUgTjlQwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTExMTQxMVoYDzIxMjYxMDI4
MTExNDExWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASs4Vkb4VRkRw+H+y4TwHnNqYqxtxX/UVm/o6Ofg/RBG5as0QlLSJtK
yVbPkT5rKrHpCd8wdLWtOMJkqpvIgNvao28wbTAdBgNVHQ4EFgQU5CYV6qmj/N+6
FJMx3qbgz14NsG8wHwYDVR0jBBgwFoAU5CYV6qmj/N+6FJMx3qbgz14NsG8wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAKrmZXAufuoAwQfYcvKLVNUmsXDaMiBac1Vkyqicj3hyAiAH
rG07NstT9m1373fTw+4+AlXQrW2H3fFIQ13s7ugqZA==
-----END CERTIFICATE-----`;

/** The key of `certificate`. */
export const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRUdmo2Mm3b2mqPHT
jqLuWlshmWKHd3NREg1zhfdBU7ChRANCAASs4Vkb4VRkRw+H+y4TwHnNqYqxtxX/
UVm/o6Ofg/RBG5as0QlLSJtKyVbPkT5rKrHpCd8wdLWtOMJkqpvIgNva
-----END PRIVATE KEY-----`;
