import { createHash } from 'node:crypto'

// Uploads one file as an artifact, with the requests of version 7 of actions/upload-artifact. A step with that action
// would run before the end of this action, so before the files exist.

/**
 * @param {{ name: string, type: string, content: Buffer }} file `name` must be unique in the workflow run
 */
export async function uploadArtifact({ name, type, content }) {
  const artifact = { ...readJob(), name }
  const { signed_upload_url: url } = await call('CreateArtifact', {
    ...artifact,
    version: 7,
    mime_type: type,
  })
  const block = Buffer.from('0').toString('base64')
  await put(`${url}&comp=block&blockid=${encodeURIComponent(block)}`, new Uint8Array(content), {})
  const list = `<?xml version="1.0" encoding="utf-8"?><BlockList><Latest>${block}</Latest></BlockList>`
  await put(`${url}&comp=blocklist`, list, { 'x-ms-blob-content-type': type })
  const hash = createHash('sha256').update(content).digest('hex')
  await call('FinalizeArtifact', { ...artifact, size: String(content.length), hash: `sha256:${hash}` })
}

/** The token of the job names the run and the job. */
function readJob() {
  const claims = JSON.parse(Buffer.from(token().split('.')[1] ?? '', 'base64url').toString() || '{}')
  const scope = /(?:^| )Actions\.Results:([^: ]+):([^: ]+)(?: |$)/.exec(claims.scp)
  if (scope === null) throw new Error('The runner gave this job no permission to upload artifacts.')
  return { workflow_run_backend_id: scope[1], workflow_job_run_backend_id: scope[2] }
}

const token = () => process.env.ACTIONS_RUNTIME_TOKEN ?? ''

/**
 * @param {string} method
 * @param {object} request
 */
async function call(method, request) {
  const path = `/twirp/github.actions.results.api.v1.ArtifactService/${method}`
  const response = await fetch(new URL(path, process.env.ACTIONS_RESULTS_URL), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token()}` },
    body: JSON.stringify(request),
  })
  if (!response.ok) throw new Error(`${method} returned HTTP ${response.status}: ${await response.text()}`)
  const answer = await response.json()
  if (!answer.ok) throw new Error(`${method} was refused.`)
  return answer
}

/**
 * @param {string} url
 * @param {Uint8Array<ArrayBuffer> | string} body
 * @param {Readonly<Record<string, string>>} headers
 */
async function put(url, body, headers) {
  const response = await fetch(url, {
    method: 'PUT',
    headers: { 'x-ms-version': '2023-11-03', ...headers },
    body,
  })
  // The URL has a signature, so it must not be printed.
  if (!response.ok) throw new Error(`The storage returned HTTP ${response.status}.`)
}
