# The program alone. It needs a PostgreSQL: give it DATABASE_URL, as docker-compose.yml does.

FROM rust:1.95-slim-trixie AS build
WORKDIR /src
COPY . .
# The rules for the page that checks a game, which go into the program.
RUN .ci/wasm
RUN cargo build --release --locked --features s3 --bin cardroom
# Four fifths of the file are debug information; a debugger finds it by the link.
RUN objcopy --only-keep-debug --compress-debug-sections target/release/cardroom /cardroom.debug \
    && objcopy --strip-all --add-gnu-debuglink=/cardroom.debug target/release/cardroom /cardroom
# Licences want their texts to go with the program: those of the crates, the font's among them, and its own.
RUN deploy/licences /licences && cp LICENSE-APACHE LICENSE-MIT /licences/

# `docker build --target debug --output . .` writes cardroom.debug, of the same build.
FROM scratch AS debug
COPY --from=build /cardroom.debug /

# The same Debian as above, or the C library may be too old for the program.
FROM debian:trixie-slim
# A bucket is reached with the system's certificate authorities.
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
RUN useradd --system --user-group --no-create-home cardroom
COPY --from=build /cardroom /usr/local/bin/cardroom
COPY --from=build /licences /usr/share/doc/cardroom/
USER cardroom
# The default, loopback, cannot be reached from outside the container.
ENV CARDROOM_LISTEN=0.0.0.0:8080
EXPOSE 8080
CMD ["cardroom"]
