//! Names, links and maps that would lead out of a store.

use std::fs;
use std::sync::Arc;

use oxiblosc::storage::{DiskTree, FileTree, Memory, TreeEntryKind};
use oxiblosc::store::{Tree, ZipTree};
use oxiblosc::{DParams, ErrorKind, Limits};

use crate::path;

fn replaced(name: &str, from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut bytes = fs::read(path(name)).unwrap();
    assert_eq!(from.len(), to.len());
    let places: Vec<usize> = (0..bytes.len())
        .filter(|&at| bytes[at..].starts_with(from))
        .collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at..at + to.len()].copy_from_slice(to);
    }
    bytes
}

#[test]
fn names_of_members_stay_inside() {
    for bad in [
        "../d.b2nd",
        "/rid.b2nd",
        "./id.b2nd",
        "a//d.b2nd",
        "a\\b\\.b2nd",
        "a\0id.b2nd",
    ] {
        let bytes = replaced("dict.b2z", b"grid.b2nd", &bad.as_bytes()[..9]);
        let error = Tree::open_in(Arc::new(Memory(bytes)), DParams::new()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt, "{bad}");
        assert!(error.to_string().contains("leaves the archive"), "{error}");
    }
}

/// Unpacks an archive into a folder, which is then a store of its own.
fn unpacked(name: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let zip = ZipTree::open(path(name), &Limits::UNTRUSTED).unwrap();
    for member in zip.paths() {
        let file = zip.open(member).unwrap();
        let mut bytes = vec![0; usize::try_from(file.len().unwrap()).unwrap()];
        file.read_exact_at(&mut bytes, 0).unwrap();
        let target = dir.path().join(member);
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::write(target, bytes).unwrap();
    }
    dir
}

#[test]
fn a_folder_is_the_same_store_as_its_archive() {
    let dir = unpacked("dict.b2z");
    let (folder, archive) = (Tree::open(dir.path()).unwrap(), crate::open("dict.b2z"));
    assert!(folder.keys().eq(archive.keys()));
    assert_eq!(crate::elements::<i32>(&folder, "/grid"), crate::grid());
}

#[cfg(unix)]
#[test]
fn links_are_neither_listed_nor_followed() {
    use std::os::unix::fs::symlink;
    let dir = unpacked("dict.b2z");
    symlink(path("array.b2nd"), dir.path().join("link.b2nd")).unwrap();
    symlink(path(""), dir.path().join("folder")).unwrap();
    let store = Tree::open(dir.path()).unwrap();
    assert!(
        store
            .keys()
            .all(|key| key != "/link" && !key.starts_with("/folder"))
    );
    let tree = DiskTree::open(dir.path()).unwrap();
    let entries = tree.list("").unwrap();
    let link = entries
        .iter()
        .find(|entry| entry.name == "link.b2nd")
        .unwrap();
    assert_eq!(link.kind, TreeEntryKind::Other);
    for bad in [
        "link.b2nd",
        "folder/array.b2nd",
        "../x",
        "/etc/hostname",
        "group/../grid.b2nd",
        "group",
    ] {
        let error = tree.open(bad).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput, "{bad}");
    }
    // The embedded store itself is no link, either.
    fs::rename(dir.path().join("embed.b2e"), dir.path().join("moved")).unwrap();
    symlink(dir.path().join("moved"), dir.path().join("embed.b2e")).unwrap();
    assert_eq!(
        Tree::open(dir.path()).unwrap_err().kind(),
        ErrorKind::Refused
    );
}

#[test]
fn lists_meet_the_limits() {
    let limits = Limits::UNTRUSTED.max_alloc(500);
    for name in ["dict.b2z", "embed.b2e", "v3_groups.zarr.zip"] {
        let error = Tree::open_with(path(name), DParams::new().limits(limits)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::LimitExceeded, "{name}: {error}");
    }
    let limits = Limits::UNTRUSTED.max_alloc(4000);
    let store = Tree::open_with(path("batches.b2b"), DParams::new().limits(limits)).unwrap();
    let leaf = store.leaf("/").unwrap();
    let most = Limits::UNTRUSTED.max_alloc(40);
    let small = Tree::open_with(path("batches.b2b"), DParams::new().limits(most));
    if let Ok(small) = small {
        let error = small
            .leaf("/")
            .and_then(|leaf| leaf.objects()?.try_for_each(|o| o.map(drop)));
        assert_eq!(error.unwrap_err().kind(), ErrorKind::LimitExceeded);
    }
    assert!(leaf.objects().unwrap().all(|object| object.is_ok()));
}
