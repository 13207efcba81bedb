/**
 * A security guard: a piece of source text that prevents something.
 *
 * @typedef {object} Guard
 * @property {string} name
 * @property {string} file the file that contains the guard
 * @property {string} text the guard's text, which occurs once in the file
 * @property {string} replacement the text of the code without the guard
 * @property {readonly [file: string, name: string]} test the test that must fail then: a file, and a part of its name
 * @property {boolean} [needsBuild] whether the test uses the built files
 */

const GUARD = 'test/control/guard.test.ts'
const UPGRADES = 'test/control/upgrades.test.ts'
const TOKENS = 'test/service/tunnels/tokens.test.ts'
const BODIES = 'test/service/api/hostile-bodies.test.ts'
const LIMITS = 'test/platform/http/limits.test.ts'
const LINES = 'test/platform/http/header-lines.test.ts'
const TARGETS = 'test/service/egress/hostile-targets.test.ts'
const UPLOADS = 'test/control/snapshot-file.test.ts'
const DATABASE = 'test/store/database.test.ts'
const ASSISTANTS = 'test/mcp/hostile-texts.test.ts'
const UPSTREAM = 'test/service/api/upstream.test.ts'
const MODES = 'test/store/modes.test.ts'
/** A mask that shows everything. */
const NO_MASK = '({ text: (t) => t, value: (v) => v, exchange: (e) => e, response: (r) => r })'

const CALIBRATE = 'test/cli/calibrate.test.ts'
const PAY = 'test/cli/calibrate-pay.test.ts'
const RULES = 'test/verify/calibration/calibrate.test.ts'
const CONNECTION = 'test/postgres/connection.test.ts'
const LOST_COMMITS = 'test/postgres/lost-commits.test.ts'
const POOLERS = 'test/postgres/poolers.test.ts'
const REPLICAS = 'test/postgres/replicas.test.ts'
const CHANGES = 'test/postgres/replica-changes.test.ts'

/** @type {readonly Guard[]} */
export const guards = [
  // Access.
  {
    name: 'host: reject unknown host names',
    file: 'server/platform/http/access.ts',
    text: 'if (!isOwnName(hostHeader, host, publicUrl)) {',
    replacement: 'if (false) {',
    test: [GUARD, 'accepts only the host names of the sandbox'],
  },
  {
    name: 'origin: reject pages of other origins',
    file: 'server/platform/http/access.ts',
    text: 'if (origin !== undefined && !isOwnOrigin',
    replacement: 'if (false && !isOwnOrigin',
    test: [GUARD, 'refuses pages of another origin'],
  },
  {
    name: 'origin: reject http pages of the public name behind TLS',
    file: 'server/platform/http/access.ts',
    text: 'return !isPublic && origin',
    replacement: 'return origin',
    test: [GUARD, 'refuses pages of the public name with another scheme'],
  },
  {
    name: 'origin: check the WebSocket of the stream',
    file: 'server/control/requests/require-access.ts',
    text: 'const access = checkAccess(c)',
    replacement: "const access = c.req.path.endsWith('/stream') ? { granted: true } : checkAccess(c)",
    test: [GUARD, 'the stream refuses pages of another origin or host name'],
  },
  {
    name: 'origin: check the WebSocket of a listener',
    file: 'server/control/requests/require-access.ts',
    text: 'const access = checkAccess(c)',
    replacement: "const access = c.req.path.endsWith('/listen') ? { granted: true } : checkAccess(c)",
    test: [GUARD, 'the connection of a listener refuses pages of another origin or host name'],
  },
  {
    name: "host: reject the sandbox's own webhooks at the control API",
    file: 'server/platform/http/access.ts',
    text: "if (c.req.header('user-agent')?.startsWith('paylink-sandbox/')) {",
    replacement: 'if (false) {',
    test: [
      'test/service/webhooks/dispatcher.test.ts',
      'a webhook cannot call the control API of its own sandbox',
    ],
  },
  {
    name: 'admin token: is required',
    file: 'server/platform/http/access.ts',
    text: 'if (adminToken === undefined) return undefined',
    replacement: 'return undefined',
    test: [GUARD, 'an admin token is required once it is set'],
  },
  {
    name: 'admin token: protects the control API',
    file: 'server/control/control-api.ts',
    text: '  app.use(requireAccess(checkAccess))\n',
    replacement: '',
    test: [GUARD, 'an admin token is required once it is set'],
  },
  {
    name: 'admin token: protects the inspector',
    file: 'server/runtime/app.ts',
    text: "app.use('/*', login.guard, async",
    replacement: "app.use('/*', async",
    test: [GUARD, 'an admin token is required once it is set'],
  },
  {
    name: 'admin token: protects the stream',
    file: 'server/control/requests/require-access.ts',
    text: 'const access = checkAccess(c)',
    replacement: "const access = c.req.path.endsWith('/stream') ? { granted: true } : checkAccess(c)",
    test: [GUARD, 'an admin token is required once it is set'],
  },
  {
    name: 'admin token: protects the OpenAPI document of the control API',
    file: 'server/control/routes/health.ts',
    text: 'requireAccess(checkAccess),\n      (c) =>',
    replacement: '(c) =>',
    test: [GUARD, 'an admin token is required once it is set'],
  },
  {
    name: 'admin token: protects the metrics',
    file: 'server/control/routes/metrics.ts',
    text: '    requireAccess(checkAccess),\n',
    replacement: '',
    test: [GUARD, 'an admin token is required once it is set'],
  },
  {
    name: 'admin token: protects the documentation page of the control API',
    file: 'server/docs/index.ts',
    text: ".get('/docs/control', guard, async (c)",
    replacement: ".get('/docs/control', async (c)",
    test: [GUARD, 'an admin token is required once it is set'],
  },
  {
    name: 'admin token: is required to listen beyond this machine',
    file: 'server/runtime/config/read-options.ts',
    text: 'adminToken === undefined && !isLoopbackAddress(host)',
    replacement: 'false',
    test: [GUARD, 'listening beyond this machine requires an admin token'],
  },
  {
    name: 'admin token: is compared in constant time',
    file: 'server/platform/http/access.ts',
    text: 'timingSafeEqual(digest(sent), digest(expected))',
    replacement: 'sent === expected',
    test: [GUARD, 'secrets of any length are compared in constant time'],
  },
  {
    name: "tunnel token: opens only the team's tunnels",
    file: 'server/platform/http/access.ts',
    text: 'tunnel === team || tunnel.startsWith(`${team}-`)',
    replacement: 'tunnel !== team',
    test: [TOKENS, 'is answered with 403'],
  },
  {
    name: 'tunnel token: opens only tunnels',
    file: 'server/platform/http/access.ts',
    text: 'if (tunnel === undefined || !teams',
    replacement: 'if (tunnel !== undefined && !teams',
    test: [TOKENS, 'is answered with 403'],
  },
  {
    name: 'tunnel token: reject wrong tokens',
    file: 'server/platform/http/access.ts',
    text: "isSameSecret(token ?? '', one.token)",
    replacement: 'token !== undefined',
    test: [TOKENS, 'is answered with 401'],
  },
  {
    name: 'tunnel token: requires an admin token',
    file: 'server/runtime/config/read-options.ts',
    text: 'adminToken === undefined && Object.keys(tunnelTokens).length > 0',
    replacement: 'false',
    test: [TOKENS, 'tunnel tokens without an admin token are refused'],
  },
  {
    name: 'API key: is in the OpenAPI document only for users with access',
    file: 'server/runtime/app.ts',
    text: '(checkAccess(c).granted ? withKey : withoutKey)',
    replacement: 'withKey',
    test: [GUARD, 'the document of the API shows the API key only to clients with access'],
  },

  {
    name: 'cookie: is HttpOnly',
    file: 'server/control/login/index.ts',
    text: 'httpOnly: true,',
    replacement: '',
    test: [GUARD, 'a browser shows the admin token once'],
  },
  {
    name: 'cookie: is SameSite',
    file: 'server/control/login/index.ts',
    text: "sameSite: 'Strict',",
    replacement: '',
    test: [GUARD, 'a browser shows the admin token once'],
  },
  {
    name: 'cookie: is Secure over TLS',
    file: 'server/control/login/index.ts',
    text: 'secure: isSecure(c),',
    replacement: '',
    test: [
      'test/platform/tls/tls.test.ts',
      'behind a proxy that terminates TLS, every URL uses the public name',
    ],
  },
  {
    name: 'cookie: does not contain the admin token',
    file: 'server/runtime/app.ts',
    text: 'const session = sessionToken(adminToken, sessionKey)',
    replacement: 'const session = adminToken ?? sessionToken(adminToken, sessionKey)',
    test: [TOKENS, 'the cookie of the inspector contains no token'],
  },
  {
    name: 'cookie: is not forwarded through tunnels',
    file: 'server/platform/http/read-request.ts',
    text: "if (name.toLowerCase() !== 'cookie' || !value.includes(ADMIN_COOKIE)) return",
    replacement: 'if (true) return',
    test: [TOKENS, 'requests through a tunnel carry no cookies of the inspector'],
  },
  {
    name: 'cookie: cannot be set by an app behind a tunnel',
    file: 'server/platform/http/foreign-answer.ts',
    text: '!ADMIN_COOKIE_PATTERN.test(value)',
    replacement: 'true',
    test: [TOKENS, 'an answer through a tunnel cannot set or clear the inspector'],
  },

  // Requests from other sites.
  {
    name: 'other site: cannot submit the checkout form',
    file: 'server/service/checkout/check-navigation.ts',
    text: "if (site !== undefined) return site === 'cross-site' ? checkReferer(c) : null",
    replacement: 'if (site !== undefined) return null',
    test: ['test/service/checkout/other-sites.test.ts', 'a form sent by a page of another site is refused'],
  },
  {
    name: 'other site: cannot submit the checkout form over http',
    file: 'server/service/checkout/check-navigation.ts',
    text: "return from === undefined || isTrustedPage(from, c.req.header('host')) ? null : OTHER_SITE",
    replacement: 'return null',
    test: [
      'test/service/checkout/other-sites.test.ts',
      'over plain http, where browsers send no Sec-Fetch headers',
    ],
  },
  {
    name: 'other site: cannot pay by image, frame or script',
    file: 'server/service/checkout/check-navigation.ts',
    text: "if (destination !== undefined && destination !== 'document') {",
    replacement: 'if (false) {',
    test: ['test/service/checkout/unattended.test.ts', 'does not pay'],
  },
  {
    name: 'other site: cannot pay by a link',
    file: 'server/service/checkout/check-navigation.ts',
    text: 'return isFromOtherPage ? checkReferer(c) : null',
    replacement: 'return null',
    test: ['test/service/checkout/unattended.test.ts', 'does not pay'],
  },
  {
    name: 'other site: cannot pay by prefetch',
    file: 'server/service/checkout/check-navigation.ts',
    text: 'if (/prefetch|prerender|preview/i.test(purpose))',
    replacement: 'if (false)',
    test: ['test/service/checkout/unattended.test.ts', 'does not pay'],
  },
  {
    name: 'other site: cannot send forms to the control API',
    file: 'server/control/requests/require-json.ts',
    text: "if (text !== '' && !JSON_TYPE.test",
    replacement: 'if (false && !JSON_TYPE.test',
    test: [GUARD, 'a form or a script on a page of another origin cannot call the control API'],
  },
  {
    name: 'other site: cannot read answers (CORS)',
    file: 'server/runtime/app.ts',
    text: "c.res.headers.set('x-content-type-options', 'nosniff')",
    replacement:
      "c.res.headers.set('x-content-type-options', 'nosniff'); c.res.headers.set('access-control-allow-origin', '*')",
    test: [GUARD, 'pages of another origin can read no answer'],
  },

  // Headers of pages.
  ...[
    {
      page: 'inspector',
      file: 'server/runtime/app.ts',
      set: "c.res.headers.set('content-security-policy', INSPECTOR_CSP)",
    },
    { page: 'documents', file: 'server/docs/answer-page.ts', set: "'content-security-policy': csp," },
    {
      page: 'checkout',
      file: 'server/service/checkout/index.ts',
      set: "'content-security-policy': next.page === 'waiting' ? WAITING_CSP : CSP,",
    },
  ].map(({ page, file, set }) => ({
    name: `CSP: is set, ${page}`,
    file,
    text: set,
    replacement: '',
    test: /** @type {const} */ ([
      GUARD,
      'the Content-Security-Policy of each page allows only what this page uses',
    ]),
  })),
  ...[
    {
      page: 'inspector',
      file: 'server/runtime/app.ts',
      last: "; frame-ancestors 'none'; form-action 'self'\"",
    },
    { page: 'documents', file: 'server/docs/answer-page.ts', last: "; frame-ancestors 'none'\"" },
    { page: 'checkout', file: 'server/service/checkout/index.ts', last: "; frame-ancestors 'none'\"" },
  ].flatMap(({ page, file, last }) => [
    {
      name: `CSP: frame-ancestors, ${page}`,
      file,
      text: last,
      replacement: '"',
      test: /** @type {const} */ ([
        GUARD,
        'the Content-Security-Policy of each page allows only what this page uses',
      ]),
    },
    {
      name: `CSP: no unsafe-inline, ${page}`,
      file,
      text: last,
      replacement: `${last.slice(0, -1)}; script-src 'self' 'unsafe-inline'"`,
      test: /** @type {const} */ ([
        GUARD,
        'the Content-Security-Policy of each page allows only what this page uses',
      ]),
    },
  ]),
  ...[
    {
      page: 'inspector',
      file: 'server/runtime/app.ts',
      set: "c.res.headers.set('referrer-policy', 'no-referrer')",
    },
    { page: 'documents', file: 'server/docs/answer-page.ts', set: "'referrer-policy': 'no-referrer'," },
    { page: 'checkout', file: 'server/service/checkout/index.ts', set: "'referrer-policy': 'same-origin'," },
  ].map(({ page, file, set }) => ({
    name: `Referrer-Policy: is set, ${page}`,
    file,
    text: set,
    replacement: '',
    test: /** @type {const} */ ([
      GUARD,
      'the Content-Security-Policy of each page allows only what this page uses',
    ]),
  })),
  {
    name: 'CSP: allows only the script and style of a report',
    file: 'scripts/inline-report.js',
    text: '`script-src ${hash(script)}`',
    replacement: "`script-src 'unsafe-inline'`",
    test: [GUARD, 'a report allows its own script and style only'],
    needsBuild: true,
  },
  {
    name: 'report: data cannot become markup',
    file: 'server/control/routes/report.ts',
    text: "    yield bytes.toString('base64', 0, encodableLength)\n",
    replacement: "    yield '</script>' + bytes.toString('base64', 0, encodableLength)\n",
    test: ['test/control/report.test.ts', 'the report has every event with its bytes'],
  },
  {
    name: 'nosniff: is set for pages',
    file: 'server/runtime/app.ts',
    text: "c.res.headers.set('x-content-type-options', 'nosniff')",
    replacement: '',
    test: [GUARD, 'the Content-Security-Policy of each page allows only what this page uses'],
  },
  {
    name: 'nosniff: is set for the API',
    file: 'server/service/api/index.ts',
    text: "    'x-content-type-options': 'nosniff',\n",
    replacement: '',
    test: [GUARD, 'every answer forbids content sniffing'],
  },
  {
    name: 'nosniff: is set for tunnel answers to browsers',
    file: 'server/platform/http/foreign-answer.ts',
    text: "  ['x-content-type-options', 'nosniff'],\n",
    replacement: '',
    test: [GUARD, 'every answer forbids content sniffing'],
  },
  {
    name: 'tunnel: pages of the app are sandboxed',
    file: 'server/platform/http/foreign-answer.ts',
    text: ', ...FOREIGN_PAGE] : headers',
    replacement: '] : headers',
    test: [
      'test/service/tunnels/forward.test.ts',
      'a page that an app returns to a browser cannot act as the inspector',
    ],
  },
  {
    name: 'texts: a note cannot become markup',
    file: 'server/service/checkout/pages/note.tsx',
    text: '        {text}\n      </p>\n    )',
    replacement: '        <b dangerouslySetInnerHTML={{ __html: text }}></b>\n      </p>\n    )',
    test: ['test/journeys/hostile-texts.test.ts', 'are shown as text on every page'],
  },

  // Connections and limits.
  {
    name: 'WebSocket: reject other paths',
    file: 'server/runtime/server.ts',
    text: '  WEB_SOCKET.test(url) &&\n',
    replacement: '',
    test: [UPGRADES, 'is answered like a normal request'],
  },
  {
    name: 'WebSocket: reject malformed host names',
    file: 'server/runtime/server.ts',
    text: 'URL.canParse(`http://${headers.host}`)',
    replacement: 'true',
    test: [UPGRADES, 'is refused'],
  },
  {
    name: 'WebSocket: close rejected connections',
    file: 'server/runtime/server.ts',
    text: "    socket.once('finish', () => undecided.has(socket) && discardAndClose(socket, lingerMs))\n",
    replacement: '',
    test: [UPGRADES, 'a client that stays connected after its WebSocket was refused is disconnected'],
  },
  {
    name: 'WebSocket: rejected connections do not delay the exit',
    file: 'server/runtime/server.ts',
    text: 'for (const socket of undecided) socket.destroy()',
    replacement: '',
    test: [UPGRADES, 'a pending WebSocket request does not delay close'],
  },
  {
    name: 'WebSocket: limit the size of a frame',
    file: 'server/runtime/server.ts',
    text: ', maxPayload: MAX_FRAME_BYTES',
    replacement: '',
    test: [LIMITS, 'a frame that is too large closes the connection of a listener'],
  },
  {
    name: 'limits: time for the header',
    file: 'server/runtime/server.ts',
    text: '      headersTimeout: headersMs,\n',
    replacement: '      headersTimeout: 0,\n',
    test: [LIMITS, 'a request that does not end in its header is disconnected'],
  },
  {
    name: 'limits: time for the first request over TLS',
    file: 'server/platform/tls/reject-plain-http.ts',
    text: 'const late = setTimeout(end, timeoutMs).unref()',
    replacement: 'const late = undefined',
    test: ['test/platform/tls/tls.test.ts', 'is disconnected'],
  },
  {
    name: 'limits: TLS connections do not delay the exit',
    file: 'server/platform/tls/reject-plain-http.ts',
    text: 'for (const socket of open) socket.destroy()',
    replacement: '',
    test: ['test/platform/tls/tls.test.ts', 'does not delay the end of the sandbox'],
  },
  {
    name: 'limits: time for the body',
    file: 'server/runtime/server.ts',
    text: '      requestTimeout: requestMs,\n',
    replacement: '      requestTimeout: 0,\n',
    test: [LIMITS, 'a request that does not end in its body is disconnected'],
  },
  {
    name: 'limits: size of the header',
    file: 'server/runtime/server.ts',
    text: '      headersTimeout: headersMs,\n',
    replacement: '      headersTimeout: headersMs,\n      maxHeaderSize: 100_000_000,\n',
    test: [LIMITS, 'headers above 16 KiB are refused'],
  },
  {
    name: 'limits: body of an API call',
    file: 'server/service/api/index.ts',
    text: 'await readBody(c)',
    replacement: 'await readBody(c, Infinity)',
    test: [BODIES, 'a body above 1 MiB is refused'],
  },
  {
    name: 'limits: body without Content-Length',
    file: 'server/platform/http/read-up-to.ts',
    text: '    if (size > limit) break\n',
    replacement: '',
    test: [LIMITS, 'a body that does not end is answered as soon as it is too large'],
  },
  {
    name: 'limits: body of a control API request',
    file: 'server/control/requests/require-json.ts',
    text: 'if (tooLarge) throw new Problem',
    replacement: 'if (false) throw new Problem',
    test: ['test/control/control.test.ts', 'a body above 1 MiB returns a problem'],
  },
  {
    name: 'limits: body of a tunnel request',
    file: 'server/service/tunnels/index.ts',
    text: 'await readBody(c, MAX_TUNNEL_BODY_BYTES)',
    replacement: 'await readBody(c, Infinity)',
    test: [LIMITS, 'a tunnel refuses a body that is too large'],
  },
  {
    name: 'limits: body of the checkout form',
    file: 'server/service/checkout/page-request.ts',
    text: 'await readBody(c, MAX_FORM_BYTES)',
    replacement: 'await readBody(c)',
    test: [LIMITS, 'a form that is too large is refused'],
  },
  {
    name: 'limits: size of an uploaded snapshot',
    file: 'server/control/routes/snapshot-files.ts',
    text: 'if (contentLength > MAX_MEBIBYTES * MIB) throw tooLarge()',
    replacement: '',
    test: [UPLOADS, 'an upload with a Content-Length above the limit is refused before its body is read'],
  },
  {
    name: 'snapshots: validate the rows of an upload',
    file: 'server/store/snapshots/read-rows.ts',
    text: ' ?? checkRow(table, row)',
    replacement: '',
    test: [UPLOADS, 'an upload of a row with an invalid value is refused'],
  },
  {
    name: 'limits: answer of a receiver',
    file: 'server/service/egress/post.ts',
    text: '      if (read.size > MAX_STORED_BODY_BYTES) resolve()\n',
    replacement: '',
    test: [LIMITS, 'only the beginning of an endless receiver answer is stored'],
  },
  {
    name: 'limits: answer of an app to a check',
    file: 'server/domain/http/http-fetch.ts',
    text: '    if (size > MAX_BODY_BYTES) break\n',
    replacement: '',
    test: [TARGETS, 'a decompression bomb from an app in a receiver check'],
  },
  {
    name: 'limits: compressed bodies are not decompressed',
    file: 'server/platform/http/read-request.ts',
    text: 'return { bytes: new Uint8Array(await c.req.arrayBuffer()), tooLarge: false }',
    replacement:
      "return { bytes: new Uint8Array((await import('node:zlib')).gunzipSync(await c.req.arrayBuffer())), tooLarge: false }",
    test: [LIMITS, 'compressed bodies are not decompressed'],
  },
  {
    name: 'limits: nesting of an API call',
    file: 'server/service/api/raw-body.ts',
    text: 'if (measureJson(text).depth > MAX_JSON_DEPTH) throw',
    replacement: 'if (false) throw',
    test: [BODIES, 'nesting that would break a parser is refused'],
  },
  {
    name: 'limits: nesting of a control API request',
    file: 'server/control/requests/require-json.ts',
    text: 'if (depth > MAX_JSON_DEPTH) {',
    replacement: 'if (false) {',
    test: ['test/control/control.test.ts', 'deep nesting returns a problem'],
  },
  {
    name: 'limits: keys of a control API request',
    file: 'server/control/requests/require-json.ts',
    text: 'if (keys > maxKeys) {',
    replacement: 'if (false) {',
    test: ['test/control/control.test.ts', 'many unknown keys returns a problem'],
  },
  {
    name: 'limits: loops of tunnels',
    file: 'server/service/tunnels/index.ts',
    text: 'readHops(request.headers) > MAX_HOPS &&',
    replacement: 'false &&',
    test: [
      'test/service/tunnels/hostile.test.ts',
      'tunnels that lead to each other stop with an explanation',
    ],
  },

  // Egress: targets of webhooks and redirects.
  {
    name: 'targets: only http and https',
    file: 'server/domain/network/urls.ts',
    text: 'ABSOLUTE.test(text) && ',
    replacement: '',
    test: [BODIES, 'is refused in the envelope'],
  },
  {
    name: 'targets: only http and https, for accounts',
    file: 'server/domain/network/urls.ts',
    text: "isHttpUrl(text) ? null : 'should be an absolute http or https URL'",
    replacement: 'null',
    test: [TARGETS, 'an account refuses a URL with another scheme'],
  },
  {
    name: 'targets: hold webhooks to public hosts',
    file: 'server/service/egress/egress-policy.ts',
    text: 'if (isLocal || isAllowedOnce)',
    replacement: 'if (true)',
    test: ['test/service/egress/egress-policy.test.ts', 'is held, until it or its host is allowed'],
  },
  {
    name: 'targets: never send forged webhooks beyond this machine',
    file: 'server/service/egress/egress-policy.ts',
    text: 'if (isForged && !isLocal) {',
    replacement: 'if (false) {',
    test: [TARGETS, 'is held, and gets no forged webhooks'],
  },
  {
    name: 'metadata: block link-local addresses',
    file: 'server/service/egress/address-scope.ts',
    text: "    case 'linkLocal':\n    case 'multicast':\n    case 'broadcast':",
    replacement: "    case 'multicast':\n    case 'broadcast':",
    test: [TARGETS, 'nothing is ever sent to'],
  },
  {
    name: 'metadata: block other cloud metadata addresses',
    file: 'server/service/egress/address-scope.ts',
    text: "  '100.100.100.200',\n",
    replacement: '',
    test: [TARGETS, 'nothing is ever sent to'],
  },
  {
    name: 'metadata: block metadata host names',
    file: 'server/service/egress/egress-policy.ts',
    text: "if (METADATA_HOSTS.has(host) || scopes.includes('never'))",
    replacement: "if (scopes.includes('never'))",
    test: [TARGETS, 'nothing is ever sent to'],
  },
  {
    name: 'DNS rebinding: connect to the checked addresses',
    file: 'server/service/egress/post.ts',
    text: 'lookup: lookupAmong(addresses)',
    replacement: 'lookup: undefined',
    test: [TARGETS, 'simultaneous requests to one host each go to the address that was checked for them'],
  },
  {
    name: 'DNS rebinding: connect to the checked addresses in a check',
    file: 'server/service/egress/connect-to.ts',
    text: 'const lookup = lookupAmong(addresses)',
    replacement: 'const lookup = undefined',
    test: [TARGETS, 'requests of a receiver check go to the checked address'],
  },
  {
    name: 'DNS rebinding: look up each name once',
    file: 'server/service/egress/egress-policy.ts',
    text: "if (isLocal || isAllowedOnce) return { verdict: 'send', addresses }",
    replacement: "if (isLocal || isAllowedOnce) return { verdict: 'send', addresses: await lookup(host) }",
    test: [TARGETS, 'every kind of request goes to the checked address'],
  },
  {
    name: 'redirects: do not follow redirects of a receiver',
    file: 'server/service/egress/post.ts',
    text: '      response.status = incoming.statusCode ?? null\n',
    replacement: `      const { location } = incoming.headers
      if (location !== undefined) return await post(new URL(location, url), addresses, { contentType, body }, signal)
      response.status = incoming.statusCode ?? null\n`,
    test: [TARGETS, 'of a receiver is not followed'],
  },
  {
    name: 'redirects: do not follow redirects in a check',
    file: 'server/service/egress/restricted-fetch.ts',
    text: "redirect: 'manual'",
    replacement: "redirect: 'follow'",
    test: [TARGETS, 'a redirect of an app in a receiver check is not followed'],
  },

  // Line breaks in values.
  {
    name: 'header lines: validate the answer of a listener',
    file: 'server/service/tunnels/listener-answer.ts',
    text: '      validateHeaderValue(name, value)\n',
    replacement: '',
    test: ['test/service/tunnels/hostile.test.ts', 'is reported as a failure'],
  },
  {
    name: 'header lines: validate the configured answer of a tunnel',
    file: 'server/control/requests/tunnel-schemas.ts',
    text: '    validateHeaderValue(name, value)\n',
    replacement: '',
    test: [LINES, 'a tunnel answer refuses the header'],
  },
  {
    name: 'listener: can answer only its own requests',
    file: 'server/service/tunnels/request-queues.ts',
    text: '      if (!sent) return undefined\n      inFlight.delete(id)',
    replacement:
      '      if (!sent) return { id, epoch: "", seq: 1, possibleDuplicate: false, sentAt: 0 }\n      inFlight.delete(id)',
    test: ['test/service/tunnels/hostile.test.ts', 'a listener can answer only requests that it was sent'],
  },

  // Masking of secrets.
  {
    name: 'masking: keys in a HAR',
    file: 'server/control/export/har-text.ts',
    text: 'await maskOfAccounts(store)',
    replacement: NO_MASK,
    test: ['test/control/har.test.ts', 'an export has no API key and no secret header'],
  },
  {
    name: 'masking: keys in a report',
    file: 'server/control/export/report-lines.ts',
    text: 'await maskOfAccounts(store)',
    replacement: NO_MASK,
    test: ['test/control/report.test.ts', 'a report contains no current or former API key'],
  },
  {
    name: 'masking: secret header fields',
    file: 'server/domain/secrets/mask.ts',
    text: 'isSecretHeader(name) ? shown(content) : text(content)',
    replacement: 'text(content)',
    test: ['test/control/har.test.ts', 'an export has no API key and no secret header'],
  },
  {
    name: 'masking: unknown keys in the journal',
    file: 'server/domain/diagnostics/diagnose-call.ts',
    text: 'the key ${maskSecret(token)}',
    replacement: 'the key ${token}',
    test: ['test/service/api/diagnostics.test.ts', 'unknownKey'],
  },

  {
    name: 'files: serve only files of the inspector',
    file: 'server/runtime/app.ts',
    text: "app.use('/*', serveStatic({ root: inspector }))",
    replacement:
      "app.use('/*', async (c) => c.body(await (await import('node:fs/promises')).readFile(inspector + decodeURIComponent(c.env.incoming.url))))",
    test: [GUARD, 'no file outside the inspector is served'],
  },
  {
    name: 'files: validate snapshot names',
    file: 'server/control/routes/snapshots.ts',
    text: '  if (!SNAPSHOT_NAME_PATTERN.test(name)) throw',
    replacement: '  if (false) throw',
    test: [UPLOADS, 'a snapshot name that leads out of the folder is refused'],
  },
  {
    name: 'files: mode of the database',
    file: 'server/store/sqlite/open-sqlite.ts',
    text: "closeSync(openSync(file, 'wx', 0o600))",
    replacement: '',
    test: [MODES, 'only their owner can read the files of a sandbox'],
  },
  {
    name: 'files: lock the database file',
    file: 'server/store/sqlite/claim-file.ts',
    text: "sqlite.pragma('locking_mode = exclusive')",
    replacement: '',
    test: [DATABASE, 'a second sandbox cannot open the same file, and explains why'],
  },
  {
    name: 'files: reject databases of other programs',
    file: 'server/store/sqlite/claim-file.ts',
    text: 'const foreign = findForeignTable(names)',
    replacement: 'const foreign = undefined',
    test: [DATABASE, 'a database of another program'],
  },
  {
    name: 'files: mode of a new folder',
    file: 'server/platform/system/make-folder.ts',
    text: 'makeFolder(folder, 0o700)',
    replacement: 'makeFolder(folder)',
    test: [MODES, 'only their owner can read the files of a sandbox'],
  },
  {
    name: 'files: mode of a snapshot',
    file: 'server/store/snapshots/folder-storage.ts',
    text: "{ flags: 'wx', mode: 0o600 }",
    replacement: "{ flags: 'wx' }",
    test: [MODES, 'only their owner can read the files of a sandbox'],
  },
  {
    name: 'files: mode of an uploaded snapshot',
    file: 'server/store/snapshots/snapshots.ts',
    text: "{ flags: 'wx', mode: 0o600 }",
    replacement: "{ flags: 'wx' }",
    test: [MODES, 'only their owner can read the files of a sandbox'],
  },
  {
    name: 'files: mode of the TLS key',
    file: 'server/platform/tls/self-signed-certificate.ts',
    text: "{ mode, flag: 'wx' }",
    replacement: "{ flag: 'wx' }",
    test: [MODES, 'only their owner can read the files of a sandbox'],
  },
  {
    name: 'files: do not write a TLS key into an existing file',
    file: 'server/platform/tls/self-signed-certificate.ts',
    text: "  await rm(`${file}.new`, { force: true })\n  await writeFile(`${file}.new`, text, { mode, flag: 'wx' })",
    replacement: '  await writeFile(`${file}.new`, text, { mode })',
    test: [MODES, 'an incomplete key of a killed start is replaced'],
  },
  {
    name: 'files: do not write a TLS key through a link',
    file: 'server/platform/tls/self-signed-certificate.ts',
    text: "  await rm(`${file}.new`, { force: true })\n  await writeFile(`${file}.new`, text, { mode, flag: 'wx' })",
    replacement: '  await writeFile(`${file}.new`, text, { mode })',
    test: [MODES, 'keys and snapshots are not written through a symbolic link'],
  },
  {
    name: 'files: do not write a snapshot through a link',
    file: 'server/store/snapshots/folder-storage.ts',
    text: "        rmSync(written, { force: true })\n        await pipeline(content, createWriteStream(written, { flags: 'wx', mode: 0o600 }))",
    replacement: '        await pipeline(content, createWriteStream(written))',
    test: [MODES, 'keys and snapshots are not written through a symbolic link'],
  },
  {
    name: 'files: reject unknown columns of an upload',
    file: 'server/store/snapshots/read-rows.ts',
    text: 'return unknown === undefined ? null : `${unknown}: there is no such column`',
    replacement: 'return null',
    test: [UPLOADS, 'an upload of an unknown column is refused'],
  },
  {
    name: 'files: reject unknown tables of an upload',
    file: 'server/store/snapshots/read-rows.ts',
    text: 'if (!Object.hasOwn(tables, table)) {',
    replacement: 'if (false) {',
    test: [UPLOADS, 'an upload of a row of an unknown table is refused'],
  },
  {
    name: 'files: check the keys and references of an upload',
    file: 'server/store/snapshots/read-rows.ts',
    text: ' ?? checkKeys(table, row)',
    replacement: '',
    test: [UPLOADS, 'is refused, and leaves nothing behind'],
  },
  {
    name: 'limits: line of a snapshot',
    file: 'server/store/snapshots/read-rows.ts',
    text: 'if (rest.length > MAX_LINE_CHARACTERS) {',
    replacement: 'if (false) {',
    test: [UPLOADS, 'an upload of a line that is too long is refused'],
  },
  // Coding assistants.
  {
    name: 'mcp: foreign text cannot end its block',
    file: 'server/mcp/answer.ts',
    text: 'escapeFences(untrusted)',
    replacement: 'untrusted',
    test: [ASSISTANTS, 'the tools keep foreign text in the block'],
  },
  {
    name: 'mcp: show invisible characters',
    file: 'server/mcp/answer.ts',
    text: 'showInvisible(text.slice(0, maxLength))',
    replacement: 'text.slice(0, maxLength)',
    test: [ASSISTANTS, 'the tools keep foreign text in the block'],
  },

  // The upstream.
  {
    name: 'upstream: verify the certificate',
    file: 'server/service/egress/upstream.ts',
    text: '        rejectUnauthorized: true,\n',
    replacement: '        rejectUnauthorized: false,\n',
    test: [UPSTREAM, 'the certificate of the upstream is verified'],
  },
  {
    name: 'upstream: refuse production keys',
    file: 'server/service/api/upstream/handle-upstream-call.ts',
    text: 'if (!upstream.allowProductionKey && (await isProductionKey(store, call.token))) {',
    replacement: 'if (false) {',
    test: [UPSTREAM, 'a production key is refused, unless it is allowed'],
  },
  {
    name: 'upstream: mask keys that only it knows',
    file: 'server/service/api/upstream/record-answered-call.ts',
    text: 'await accounts.addFormerKeys(work.db, keysIn(call.headers))',
    replacement: '{}',
    test: [UPSTREAM, 'keys of the upstream are masked in exports'],
  },
  {
    name: 'upstream: mask keys before an answer is quoted',
    file: 'server/service/api/upstream/record-answered-call.ts',
    text: 'await maskOfAccounts(work, keysIn(call.headers))',
    replacement: NO_MASK,
    test: [
      'test/service/api/upstream-differences.test.ts',
      'a key that the service repeats is masked in every difference, and in every export',
    ],
  },
  {
    name: 'upstream: keep the calls of the sandbox',
    file: 'server/service/api/index.ts',
    text: 'headers[LOCAL_HEADER] === undefined',
    replacement: 'true',
    test: [UPSTREAM, 'requests that the sandbox makes to itself never reach the upstream'],
  },
  {
    name: 'upstream: limit the size of an answer',
    file: 'server/service/egress/upstream.ts',
    text: 'if (tooLarge) throw',
    replacement: 'if (false) throw',
    test: [UPSTREAM, 'an answer that is too large is not passed on'],
  },
  {
    name: 'upstream: do not send a body that is too large',
    file: 'server/service/api/upstream/handle-upstream-call.ts',
    text: 'if (call.body.isTooLarge) {',
    replacement: 'if (false) {',
    test: [UPSTREAM, 'a body that is too large is refused, and not sent to the upstream'],
  },
  {
    name: 'upstream: keep cookies of this machine',
    file: 'server/domain/http/proxy-headers.ts',
    text: "new Set(['expect', 'cookie'])",
    replacement: "new Set(['expect'])",
    test: [UPSTREAM, 'a call and its answer pass byte for byte'],
  },
  {
    name: 'upstream: refuse plain http',
    file: 'server/runtime/config/reject-unsafe-origin.ts',
    text: "if (protocol === 'https:' || isLoopback(address)) return",
    replacement: 'if (protocol !== "") return',
    test: [UPSTREAM, 'the upstream http://pay.example is refused'],
  },
  {
    name: 'import: limit the header fields of a HAR file',
    file: 'server/domain/har/read-har.ts',
    text: 'truncate(value, MAX_HEADER_VALUE_LENGTH)',
    replacement: 'value',
    test: ['test/domain/read-har.test.ts', 'long addresses, header fields and errors of a HAR file are cut'],
  },
  {
    name: 'import: read no file outside of the folder of the HAR file',
    file: 'server/cli/read-har-file.ts',
    text: '!path.startsWith(root.endsWith(sep) ? root : root + sep)',
    replacement: '!path.startsWith(sep)',
    test: [
      'test/control/import.test.ts',
      'import reads bodies in files beside the HAR file, and no other file',
    ],
  },

  // Calibrate.
  {
    name: 'calibrate: refuse production keys',
    file: 'server/cli/calibrate/run-calibrate.ts',
    text: "rejectProduction(target, flags['key-env']!, key)",
    replacement: '{}',
    test: [CALIBRATE, 'rejects a key of production before the first call'],
  },
  {
    name: 'calibrate: refuse plain http',
    file: 'server/cli/calibrate/run-calibrate.ts',
    text: 'rejectUnsafeTarget(target, io)',
    replacement: '{}',
    test: [CALIBRATE, 'rejects plain http before the first call'],
  },
  {
    name: 'calibrate: call only with --yes',
    file: 'server/cli/calibrate/run-calibrate.ts',
    text: 'if (!flags.yes) {',
    replacement: 'if (false) {',
    test: [CALIBRATE, 'rejects no --yes before the first call'],
  },
  {
    name: 'calibrate: mask keys in answers',
    file: 'server/cli/calibrate/run-calibrate.ts',
    text: '    mask,\n    timeoutMs',
    replacement: '    timeoutMs',
    test: ['test/cli/calibrate-fuzzed.test.ts', 'writes no key and no recipient token'],
  },
  {
    name: 'calibrate: mask keys in the output',
    file: 'server/cli/calibrate/run-calibrate.ts',
    text: 'io.stdout.write(text(plain))',
    replacement: 'io.stdout.write(plain)',
    test: [CALIBRATE, 'makes exactly the calls of the plan, and writes the key nowhere'],
  },
  {
    name: 'calibrate: mask recipient tokens of recorded calls',
    file: 'server/verify/calibration/recorded-secrets.ts',
    text: "...recipientTokensIn(readFields(request.body)).map((secret) => ({ kind: 'recipient', secret })),",
    replacement: '',
    test: [CALIBRATE, '--from: masks keys and recipient tokens'],
  },
  {
    name: 'calibrate: mask secret headers of the service',
    file: 'server/verify/calibration/http-service.ts',
    text: '(await mask?.response(answer)) ?? answer',
    replacement: 'answer',
    test: [CALIBRATE, 'makes exactly the calls of the plan, and writes the key nowhere'],
  },
  {
    name: 'calibrate: respect HTTP 429',
    file: 'server/verify/calibration/http-service.ts',
    text: "if (!('answer' in result) || result.answer.status !== 429) return undefined",
    replacement: 'if (result !== undefined) return undefined',
    test: [CALIBRATE, 'waits as long as HTTP 429 asks'],
  },
  {
    name: 'calibrate: stop at --max-calls',
    file: 'server/verify/calibration/http-service.ts',
    text: 'if (calls >= maxCalls)',
    replacement: 'if (false)',
    test: [CALIBRATE, 'makes no more than --max-calls'],
  },
  {
    name: 'calibrate: exit with 3 if nothing was compared',
    file: 'server/cli/calibrate/run-calibrate.ts',
    text: 'if (evaluated === 0) return NOTHING_EVALUATED',
    replacement: '',
    test: [CALIBRATE, 'exits with 3 if no answer could be compared'],
  },
  {
    name: 'calibrate: decide nothing from cut answers',
    file: 'server/verify/calibration/http-service.ts',
    text: "if (response) return { failure: 'the answer was cut off' }",
    replacement:
      "if (response) return { answer: { status: response.statusCode ?? 0, headers: [], body: encodeBody(Buffer.from('{}')) } }",
    test: [RULES, 'truncated answers are listed, and decide nothing'],
  },
  {
    name: 'calibrate: blame no behavior for an unknown answer',
    file: 'server/verify/calibration/evaluate-probe.ts',
    text: 'all.filter(({ place }) => !unknownAt.has(place))',
    replacement: 'all.filter(({ agreeing }) => agreeing.size > 0)',
    test: [RULES, 'a status that no option explains decides nothing for other requests'],
  },
  {
    name: 'calibrate: decide nothing if the service refuses plain links',
    file: 'server/verify/calibration/calibrate.ts',
    text: 'if (isAccepted && payIdIn(answer ?? undefined) !== undefined) return undefined',
    replacement: 'if (answer) return undefined',
    test: [RULES, 'calibrate decides nothing if the service accepts no plain link'],
  },
  {
    name: 'calibrate: conclude nothing from an answer without the envelope',
    file: 'server/verify/calibration/run-probe.ts',
    text: 'if (came === undefined) return { answer, failure: null }',
    replacement: 'if (came !== null) return { answer, failure: null }',
    test: [RULES, 'calibrate counts a page instead of an envelope as a missing answer, not as a difference'],
  },
  {
    name: 'calibrate: count nothing without a control call after it',
    file: 'server/verify/calibration/calibrate.ts',
    text: '    end = await control()\n    if (end !== undefined) {',
    replacement: '    end = await control()\n    if (end === null) {',
    test: [RULES, 'in an outage, only answers before the last successful control call count'],
  },
  {
    name: 'calibrate: write nothing after an outage',
    file: 'server/cli/calibrate/run-calibrate.ts',
    text: 'if (result.stopped === null && result.evaluated > 0)',
    replacement: 'if (result.evaluated > 0)',
    test: [
      'test/cli/calibrate-answers.test.ts',
      'calibrate stops in an outage, reports it, and changes no file',
    ],
  },
  {
    name: 'calibrate: confirm only what was compared',
    file: 'server/verify/calibration/calibrate.ts',
    text: 'if (hidden !== undefined) {',
    replacement: 'if (false) {',
    test: [RULES, 'a service that accepts everything decides no behavior'],
  },
  {
    name: 'calibrate: count only webhooks that name the payment',
    file: 'server/verify/calibration/payments.ts',
    text: 'return payId !== undefined && knownIds.includes(payId)',
    replacement: 'return true',
    test: ['test/verify/calibration/payments.test.ts', 'the webhook of another payment does not count'],
  },
  {
    name: 'calibrate: keep earlier results that a failed call did not check',
    file: 'server/cli/calibrate/calibration-file.ts',
    text: '(isLost && earlierPoint)',
    replacement: '(false && earlierPoint)',
    test: [CALIBRATE, 'keeps the earlier results of calls whose connection fails'],
  },
  {
    name: 'calibrate: check that the receiver leads to this machine',
    file: 'server/cli/calibrate/reachable-payments.ts',
    text: 'if (receiver !== undefined && !(await payments.isReachable())) {',
    replacement: 'if (false) {',
    test: [PAY, 'rejects a tunnel that leads elsewhere before the first call'],
  },
  {
    name: 'calibrate: conclude nothing from a missing webhook if none ever arrives',
    file: 'server/verify/calibration/payments.ts',
    text: "outcome === 'cancel' && hasWebhook",
    replacement: "outcome === 'cancel'",
    test: [PAY, 'draws no conclusion from a missing webhook if no webhook arrives at all'],
  },
  // One leader.
  {
    name: 'leader: take the lock of the schema',
    file: 'server/store/postgres/leader.ts',
    text: 'if (await tryLock(session, address)) return',
    replacement: 'return',
    test: [CONNECTION, 'a second sandbox cannot use the same schema'],
  },
  {
    name: 'leader: wait for the lock as a replica',
    file: 'server/store/postgres/leader.ts',
    text: 'while (!(await tryLock(session, address))) {',
    replacement: 'while (false) {',
    test: [REPLICAS, 'a second process forwards calls and streams to the first'],
    needsBuild: true,
  },
  {
    name: 'leader: give up if another process has used the schema',
    file: 'server/store/postgres/leader.ts',
    text: 'if (leader.id !== id) {',
    replacement: 'if (leader.lastGroup < 0) {',
    test: [
      CONNECTION,
      'a sandbox that has lost its connection gives up if another sandbox has used the schema',
    ],
  },
  {
    name: 'leader: begin a new epoch if commits are lost',
    file: 'server/store/postgres/open-postgres.ts',
    text: 'if (lastGroup < connected.lastGroup) rewinds.report(await beginEpochAfterLoss(connected, history))',
    replacement: 'if (false) {}',
    test: [LOST_COMMITS, 'an idle sandbox notices within seconds that commits were lost'],
  },
  {
    name: 'leader: refuse a pooler in transaction mode',
    file: 'server/store/postgres/require-own-connection.ts',
    text: 'if (!(await notified)) {',
    replacement: 'if (!(await notified) && channel === "") {',
    test: [POOLERS, 'a pooler in transaction mode that is put before the server later is noticed'],
  },
  {
    name: 'replica: answer only if no other process can lead',
    file: 'server/runtime/replicas/replica-gate.ts',
    text: 'if (role.isCertain()) return handleHere()',
    replacement: "if (role.current().name === 'leader') return handleHere()",
    test: [CHANGES, 'a frozen leader loses the lead, and answers nothing from its old state'],
    needsBuild: true,
  },
  {
    name: 'replica: ask the database before a request if it is not certain to lead',
    file: 'server/runtime/replicas/current-role.ts',
    text: 'await askedRole.confirm().catch(() => new Promise((resolve) => void setImmediate(resolve)))\n      return role === askedRole && askedRole.isCertain()',
    replacement: 'return true',
    test: [CHANGES, 'a frozen leader loses the lead, and answers nothing from its old state'],
    needsBuild: true,
  },
  {
    name: 'replica: do not forward a forwarded request',
    file: 'server/runtime/replicas/replica-gate.ts',
    text: "if (isForwarded) return answerUnavailable(response, { [MARK]: 'not-leading' })",
    replacement: '',
    test: [REPLICAS, 'a follower does not forward a request that another replica has forwarded'],
    needsBuild: true,
  },
  {
    name: 'replica: do not forward a forwarded WebSocket',
    file: 'server/runtime/replicas/replica-gate.ts',
    text: '!isForwarded &&',
    replacement: '',
    test: [REPLICAS, 'a follower does not forward a request that another replica has forwarded'],
    needsBuild: true,
  },
  {
    name: 'replica: hide the mark of a forwarded request from the app',
    file: 'server/runtime/replicas/forwarded-mark.ts',
    text: 'rawHeaders.splice(index, 2)',
    replacement: '',
    test: [REPLICAS, 'a follower changes neither header fields'],
    needsBuild: true,
  },
]
