/** The nonce of this page's response, for libraries that add style elements (the code editor). */
export const styleNonce = (): string => {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')
  return meta?.nonce ?? ''
}
