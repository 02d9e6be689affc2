// In the place of Node's modules, which some components name and none uses in a browser.
export {};
