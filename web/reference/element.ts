/** Creates an element with properties and children. Texts are never parsed as HTML. */
export const element = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<Omit<HTMLElementTagNameMap[Name], 'style'>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] => {
  const made = document.createElement(name)
  Object.assign(made, properties)
  made.append(...children)
  return made
}
