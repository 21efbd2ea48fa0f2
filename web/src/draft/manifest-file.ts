/** Whether a file of an app is its manifest. */
export const isManifest = (path: string): boolean => path === 'app.yaml' || path === 'app.json'
