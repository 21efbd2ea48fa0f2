/** Scripts that shells load to complete words of svc. Each script passes the words typed so far to svc. */

/** The flag in front of the words. Installed scripts use it, so its name must not change. */
export const COMPLETE = '--get-yargs-completions'

const BASH = `# svc completion bash >> ~/.bashrc
_svc_complete() {
  local IFS=$'\\n'
  COMPREPLY=($(svc ${COMPLETE} "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null))
  case "\${COMPREPLY[0]}" in
    */) compopt -o nospace 2>/dev/null ;;
  esac
}
complete -o bashdefault -o default -F _svc_complete svc
`

const ZSH = `#compdef svc
# svc completion zsh >> ~/.zshrc
_svc() {
  local -a names
  names=("\${(@f)$(svc ${COMPLETE} "\${(@)words[1,CURRENT]}" 2>/dev/null)}")
  if [[ -z "\${names[*]}" ]]; then
    _default
  elif [[ "\${names[1]}" == */ ]]; then
    compadd -S '' -- "\${names[@]}"
  else
    compadd -- "\${names[@]}"
  fi
}
if [[ "\${zsh_eval_context[-1]}" == loadautofunc ]]; then
  _svc "$@"
else
  compdef _svc svc
fi
`

const FISH = `# svc completion fish > ~/.config/fish/completions/svc.fish
complete -c svc -f -a '(svc ${COMPLETE} (commandline -opc) (commandline -ct) 2>/dev/null)'
`

export const COMPLETION_SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH } as const
export type Shell = keyof typeof COMPLETION_SCRIPTS
