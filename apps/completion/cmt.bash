# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Completion of every cmt-* program, from what its --help says when the key is pressed; names of schedulers, congestion
# controls, recoveries and scenarios are those of `cmt-lab list`. Installed under the name of each program.

# The names in one section of `cmt-lab list`; nothing where there is no cmt-lab.
_cmt_list() {
	command -v cmt-lab >/dev/null && cmt-lab list 2>/dev/null |
		awk -v section="$1" '/^[^ ]/ { on = index($0, section) == 1 } on && /^  [^ ]/ { print $1 }'
}

# Of a help text on standard input: the options, one to a line.
_cmt_options() {
	awk '/^[^ ]/ { on = !/^(SYNOPSIS|EXAMPLES|DESCRIPTION)/ }
		on && /^  -/ {
			sub(/^  /, ""); sub(/  .*/, "")
			for (n = split($0, words, /[ ,]+/); n > 0; n--)
				if (words[n] ~ /^--?[A-Za-z0-9]/) print words[n]
		}'
}

# Of a help text on standard input: what stands for the value of option $1, empty if it takes none.
_cmt_value_of() {
	awk -v option="$1" '/^  -/ {
			sub(/^  /, ""); sub(/  .*/, "")
			n = split($0, terms, /, +/)
			found = 0
			for (i = 1; i <= n; i++) {
				split(terms[i], words, " ")
				found = found || words[1] == option
				# The short option of an entry takes the same value as the long one.
				if (found && words[2] != "") { print words[2]; exit }
			}
		}'
}

# What can stand for a value: $1 the option or "", $2 the word for it in the help text, $3 the help text.
_cmt_values() {
	case $1:$2 in
	--cc:*) _cmt_list 'Congestion' ;;
	--recovery:*) _cmt_list 'Recoveries' ;;
	--sched:* | --scheduler:* | -s:NAME* | -s:LIST*) _cmt_list 'Schedulers' && echo single ;;
	*:SCENARIO*) _cmt_list 'Scenarios' ;;
	*:NAME*) # names that the help lists itself, as that of `cmt-lab figure` does
		awk '/^[^ ]/ { on = /^[A-Z]+S$/ && !/^(OPTIONS|EXAMPLES|SYNOPSIS)/ } on && /^  [a-z0-9]/ { print $1 }' <<<"$3"
		;;
	--*:[a-z]*) tr '|' '\n' <<<"$2" ;; # written out: json, ipv4|ipv6
	esac
}

_cmt() {
	local program=$1 current=$2 before=$3 help command='' value='' known='' lead=''
	COMPREPLY=()
	help=$("$program" --help 2>/dev/null) || return 0

	if grep -q "^  [^ ]* COMMAND --help" <<<"$help"; then
		known=$(awk -v name="${program##*/}" '/^[^ ]/ { on = /^SYNOPSIS/ }
			on && $1 == name && $2 ~ /^[a-z]/ { print $2 }' <<<"$help")
		if [ "$COMP_CWORD" -gt 1 ]; then
			command=${COMP_WORDS[1]}
			grep -qx -- "$command" <<<"$known" || return 0
			help=$("$program" "$command" --help 2>/dev/null) || return 0
			known=''
		fi
	fi

	# --option=value is three words to readline, and so is name:options.
	if [ "$current" = = ]; then
		current=''
	fi
	if [ "$before" = = ] && [ "$COMP_CWORD" -ge 2 ]; then
		before=${COMP_WORDS[COMP_CWORD - 2]}
	elif [ "${COMP_WORDS[COMP_CWORD]}" = = ]; then
		before=${COMP_WORDS[COMP_CWORD - 1]}
	elif [ "$before" = : ] || [ "$current" = : ]; then
		return 0
	fi

	if [[ $before == -* ]]; then
		value=$(_cmt_value_of "$before" <<<"$help")
	fi
	if [ -n "$value" ]; then
		known=$(_cmt_values "$before" "$value" "$help")
	elif [[ $current == -* ]]; then
		known=$(_cmt_options <<<"$help")
	elif [ -z "$known" ]; then
		# An argument: what the synopsis has in capitals behind the program's, or the command's, name.
		before=''
		value=$(awk '/^[^ ]/ { on = /^SYNOPSIS/ } on && /^  / {
				gsub(/\[[^]]*\]/, ""); gsub(/-[^ ]* [A-Z][^ ]*/, "")
				for (i = 2; i <= NF; i++) if ($i ~ /^[A-Z]+/) { print $i; exit }
			}' <<<"$help")
		known=$(_cmt_values '' "$value" "$help")
	fi

	# The last of a list: rr,lcm,arr
	case $current in *,*) lead=${current%,*}, ;; esac
	mapfile -t COMPREPLY < <(compgen -P "$lead" -W "$known" -- "${current#"$lead"}")
	case $value in
	DIR*)
		compopt -o filenames 2>/dev/null
		mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$current")
		;;
	*FILE* | *FOLDER* | *PATH* | SCENARIO*)
		compopt -o filenames 2>/dev/null
		mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$current")
		;;
	esac
}

# bash-completion loads the file that has the command's name; the others that there are need no loading then.
# shellcheck disable=SC2046
complete -F _cmt "${BASH_SOURCE[0]##*/}" $(compgen -c cmt-)
