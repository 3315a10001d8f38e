// The scripts that make shells complete quern's words. They know nothing themselves: each asks `quern __complete` for the words so far.
// quern's answers are data: no script ever evaluates them, or the words that were typed.

/** `@{` stands for the shell's own braces, which a template of ours would take for its own. */
const script = (text: string): string => text.replaceAll('@{', '${');

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** bash cuts words at `=` and `:`; they are joined again, and the part before the last cut is removed from the answers. */
const bash = String.raw`# bash completion of quern; see: quern completion --help
_quern() {
  local -a words=()
  local i part glued=0
  for ((i = 1; i <= COMP_CWORD; i++)); do
    part=@{COMP_WORDS[i]}
    if [[ $part == [=:]* || $glued == 1 ]] && ((@{#words[@]} > 0)); then
      words[@{#words[@]} - 1]+=$part
    else
      words+=("$part")
    fi
    glued=0
    [[ $part == [=:] ]] && glued=1
  done
  local typed=@{words[@{#words[@]} - 1]} last=@{COMP_WORDS[COMP_CWORD]} quote=
  [[ $last == [=:] ]] && last=
  case $last in \'*) quote=\' ;; \"*) quote=\" ;; esac
  for i in "@{!words[@]}"; do
    part=@{words[i]}
    case $part in \'*) part=@{part//\'/} ;; *) part=@{part//[\'\"]/} part=@{part//\\/} ;; esac
    words[i]=$part
  done
  local head=@{typed%"$last"} mode='' value rest
  COMPREPLY=()
  while IFS=$'\t' read -r value rest; do
    if [[ -z $mode ]]; then mode=$value; continue; fi
    [[ $value == "$head"* ]] || continue
    value=@{value#"$head"}
    case $quote in
      \') [[ $value == *\'* ]] && continue ;;
      \") value=@{value//\\/\\\\}; value=@{value//\"/\\\"}; value=@{value//\$/\\\$}; value=@{value//$'\x60'/\\$'\x60'} ;;
      *) printf -v value %q "$value" ;;
    esac
    COMPREPLY+=("$value")
  done < <(command quern __complete -- "@{words[@]}" 2>/dev/null)
  if [[ $mode == files || $mode == folders || $mode == sql ]]; then
    last=@{last#[\'\"]}
    compopt -o filenames 2>/dev/null
    while IFS= read -r value; do COMPREPLY+=("$value"); done < <(
      case $mode in files) compgen -f -- "$last" ;; *) compgen -d -- "$last" ;; esac
      [[ $mode != sql ]] || compgen -f -X '!*.sql' -- "$last"
    )
  elif [[ @{#COMPREPLY[@]} == 1 && @{COMPREPLY[0]} == *[=/] ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
complete -F _quern quern
`;

const zsh = String.raw`#compdef quern
# zsh completion of quern; see: quern completion --help
_quern() {
  local -a answer values shown
  local line mode
  answer=("@{(@f)$(command quern __complete -- "@{(@Q)words[2,CURRENT-1]}" "@{(Q)PREFIX}" 2>/dev/null)}")
  mode=@{answer[1]}
  for line in "@{(@)answer[2,-1]}"; do
    [[ -n $line ]] || continue
    values+=("@{line%%$'\t'*}")
    if [[ $line == *$'\t'?* ]]; then
      shown+=("@{line%%$'\t'*}  -- @{line#*$'\t'}")
    else
      shown+=("@{line%%$'\t'*}")
    fi
  done
  if ((@{#values})); then compadd -l -d shown -a values; fi
  case $mode in
    files) _files ;;
    sql) _files -g '*.sql(-.)' ;;
    folders) _files -/ ;;
  esac
}
if [[ @{funcstack[1]} == _quern ]]; then
  _quern "$@"
else
  compdef _quern quern
fi
`;

const fish = String.raw`# fish completion of quern; see: quern completion --help
function __quern_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l answer (command quern __complete -- $before[2..-1] (string unescape -- "$current"; or echo "$current")[1] 2>/dev/null)
    switch "$answer[1]"
        case files
            __fish_complete_path "$current"
        case folders
            __fish_complete_directories "$current"
        case sql
            __fish_complete_suffix --complete=$current .sql
    end
    for line in $answer[2..-1]
        printf '%s\n' $line
    end
end
complete -c quern -f -a '(__quern_complete)'
`;

const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };

export const completionScript = (shell: Shell): string => script(scripts[shell]);
