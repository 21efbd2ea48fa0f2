declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  export default classes
}
declare module '*.css' {}
/** The text of a source file, as Vite provides it. */
declare module '*?raw' {
  const text: string
  export default text
}
