/**
 * The editor separates lines by `\n` only. A file with `\r\n` keeps its line breaks, so that an edit of one line does not
 * change all others. Pure.
 */

export const toEditor = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

const hasOnlyCrlf = (text: string): boolean =>
  text.includes('\r\n') && !/[^\r]\n|^\n|\r(?!\n)/.test(text)

/** @param edited the editor's text @param before the text that was edited; one with mixed line breaks gets `\n` */
export const fromEditor = (edited: string, before: string): string =>
  hasOnlyCrlf(before) ? edited.replaceAll('\n', '\r\n') : edited
