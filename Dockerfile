# plyfit alone: one static program, no shell. What it reads and writes is in /data.
#
#   docker build -t plyfit .
#   docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/data" plyfit learn tictactoe
#   docker run --rm -p 8700:8700 plyfit serve --listen 0.0.0.0:8700
#
# A tag may move to another image; to build from one by its digest:
#
#   docker build --build-arg GO=golang@sha256:... -t plyfit .
ARG GO=golang:1.26
FROM $GO AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
# The mode of a folder is kept where it is copied as a part of another one.
RUN mkdir /image && .ci/release --one /image/plyfit && mkdir -m 777 /image/data

# The program, what it owes to others (NOTICES, LICENSE, sbom.cdx.json), and /data.
FROM scratch
COPY --from=build /image /
WORKDIR /data
USER 65532:65532
ENTRYPOINT ["/plyfit"]
