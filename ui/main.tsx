import { render } from 'preact'

render(<h1>Inspector</h1>, document.getElementById('inspector')!)
