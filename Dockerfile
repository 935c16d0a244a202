# plyfit alone: one static program, no shell. What it reads and writes is in /data.
#
#   docker build -t plyfit .
#   docker run --rm -v "$PWD:/data" plyfit learn tictactoe
#   docker run --rm -p 8700:8700 plyfit serve --listen 0.0.0.0:8700 --token new
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN .ci/release --one /plyfit && mkdir -m 777 /data

FROM scratch
COPY --from=build /plyfit /plyfit
COPY --from=build /data /data
WORKDIR /data
USER 65532:65532
ENTRYPOINT ["/plyfit"]
