// A component of CommonJS, of which an importing ES module otherwise gets the whole module.
import scrollbars from './node_modules/react-custom-scrollbars-2/lib/index.js';

export const { Scrollbars } = scrollbars;
export default Scrollbars;
