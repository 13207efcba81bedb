import { expect, test } from 'vitest'
import { findCodePlace } from '../../server/domain/webhooks/code-place.ts'

test.each<[title: string, text: string, error: string | undefined, place: string | undefined]>([
  [
    'Node.js',
    "TypeError: Cannot read properties of undefined (reading 'id')\n    at handle (/app/node_modules/express/lib/router.js:9:1)\n    at pay (/app/webhook.js:12:5)",
    'TypeError',
    '/app/webhook.js:12:5',
  ],
  ['modules', 'at file:///srv/shop/hook.mjs:3:1', undefined, '/srv/shop/hook.mjs:3:1'],
  [
    'Windows',
    String.raw`Error: x at pay (C:\shop\webhook.ts:7:9)`,
    'Error',
    String.raw`C:\shop\webhook.ts:7:9`,
  ],
  [
    'Python',
    'Traceback (most recent call last):\n  File "/srv/app/main.py", line 3, in run\n  File "/usr/lib/python3/dist-packages/flask/app.py", line 99\n  File "/srv/app/hook.py", line 21, in hook\nKeyError: \'data\'',
    'KeyError',
    '/srv/app/hook.py:21',
  ],
  ['PHP', 'Fatal error: Uncaught TypeError in /var/www/hook.php:12', 'TypeError', '/var/www/hook.php:12'],
  ['older PHP', 'Warning: x in /var/www/hook.php on line 8', undefined, '/var/www/hook.php:8'],
  ['Ruby', "/srv/hook.rb:4:in 'call': undefined (NoMethodError)", 'NoMethodError', '/srv/hook.rb:4'],
  ['Go', 'goroutine 1\n/srv/main.go:31 +0x1b', undefined, '/srv/main.go:31'],
  [
    '.NET',
    String.raw`NullReferenceException at Pay() in C:\shop\Hook.cs:line 40`,
    'NullReferenceException',
    String.raw`C:\shop\Hook.cs:40`,
  ],
  [
    'Java',
    'java.lang.NullPointerException: order is null\n\tat java.base/java.util.Objects.requireNonNull(Objects.java:233)\n\tat org.springframework.web.Servlet.doPost(Servlet.java:9)\n\tat com.shop.Webhook.handle(Webhook.java:12)',
    'NullPointerException',
    'Webhook.java:12',
  ],
  ['only libraries', 'at x (/app/node_modules/a/b.js:1:2)', undefined, undefined],
  ['an address', 'see http://localhost:3000/hooks.php:80', undefined, undefined],
  ['a link that would run code', 'javascript:alert(1).js:1', undefined, undefined],
  ['nothing', 'Service Unavailable', undefined, undefined],
])('the place of an error is found, if the text has one: %s', (_title, text, error, place) => {
  expect(findCodePlace(text)).toEqual({ error, place })
})
