/** Writes svc(1), the manual page, from the table of commands. The format is man(7). */

export type ManPage = Readonly<{
  version: string
  /** For example 2026-01-31. */
  date: string
  commands: readonly (readonly [usage: string, describe: string])[]
}>

/** Escapes what is special to troff: backslashes, a leading dot or apostrophe, and hyphens, which must not become dashes. */
const escapeText = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1')

const commandLines = ([usage, describe]: readonly [string, string]): readonly string[] => [
  '.TP',
  `.B svc ${escapeText(usage)}`,
  `${escapeText(describe)}.`,
]

export const manPage = ({ version, date, commands }: ManPage): string =>
  `${[
    `.TH SVC 1 "${date}" "svc ${version}" "svc"`,
    '.SH NAME',
    'svc \\- workflow execution service',
    '.SH SYNOPSIS',
    '.B svc',
    '.I command',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    'svc runs TypeScript and JavaScript functions as durable jobs. One file contains the server, the worker, the scheduler and the',
    'command line; a libSQL file or server holds the data.',
    '.B svc start',
    'runs a whole node.',
    '.SH COMMANDS',
    ...commands.flatMap(commandLines),
    '.PP',
    '.B svc',
    '.I command',
    '.B \\-\\-help',
    'shows the options of a command.',
    '.SH FILES',
    '.TP',
    '.I /etc/svc/svc.env',
    'Settings of the services svc.service and svc\\-worker@.service.',
    '.TP',
    '.I /var/lib/svc',
    'Database and key of the services.',
    '.TP',
    '.I ./svc\\-data',
    'Database and key of a node that is started by hand.',
    '.SH EXIT STATUS',
    '0 done; 1 failed; 2 wrong usage, which includes bad settings.',
    '.SH SEE ALSO',
    '.B svc config',
    'lists the settings,',
    '.B svc doctor',
    'checks this machine, and a node serves the API reference at',
    '.IR /api/docs .',
  ].join('\n')}\n`
