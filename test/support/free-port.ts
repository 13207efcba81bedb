export { freePort } from '../../scripts/free-port.js'
