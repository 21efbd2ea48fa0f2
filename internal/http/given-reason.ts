/** @returns what a person wrote as a reason; null if it is blank, as forms and scripts send a field that was left empty */
export const givenReason = (text: string | undefined): string | null => {
  const reason = text?.trim() ?? ''
  return reason === '' ? null : reason
}
