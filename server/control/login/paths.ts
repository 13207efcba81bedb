/** The pages that require the admin token. */
export const PAGES = ['/', '/docs/control']

export const STYLE_PATH = '/login.css'
