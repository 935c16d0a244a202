# plyfit alone: one static program, no shell. What it reads and writes is in /data.
#
#   docker build -t plyfit .
#   docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/data" plyfit learn tictactoe
#   docker run --rm -p 8700:8700 plyfit serve --listen 0.0.0.0:8700
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
# The mode of a folder is kept where it is copied as a part of another one.
RUN mkdir /image && .ci/release --one /image/plyfit && mkdir -m 777 /image/data

FROM scratch
COPY --from=build /image /
WORKDIR /data
USER 65532:65532
ENTRYPOINT ["/plyfit"]
