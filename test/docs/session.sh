# Read by the bash that runs a page's commands: $SESSION holds each as N.sh, and gets N.out and N.code.
set -m
server=
stop_server() {
  if [ -n "$server" ]; then
    kill -TERM -- "-$server"
    wait "$server"
    server=
  fi
} 2> /dev/null
trap stop_server EXIT

# The address of servers in the pages is 127.0.0.1:4000, whatever port they have here.
curl() { command curl --silent --connect-to "127.0.0.1:4000:127.0.0.1:$port" "$@"; }

run() {
  source "$SESSION/$1.sh" > "$SESSION/$1.out" 2>&1 < /dev/null
  echo $? > "$SESSION/$1.code"
}

# As on a terminal, where rows are a table.
run_with_table() {
  export QUERN_FORMAT=table
  run "$1"
  unset QUERN_FORMAT
}

serve() {
  stop_server
  mkfifo "$SESSION/$1.pipe"
  source "$SESSION/$1.sh" > "$SESSION/$1.pipe" 2>&1 < /dev/null &
  server=$!
  exec 9< "$SESSION/$1.pipe"
  while IFS= read -r line <&9; do
    echo "$line" >> "$SESSION/$1.out"
    case "$line" in 'listening on '*)
      port=${line##*:}
      return
      ;;
    esac
  done
  echo 1 > "$SESSION/$1.code"
}
