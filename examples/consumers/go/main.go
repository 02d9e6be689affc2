// Keeps the open findings of all clusters in SQLite: BROKERS=host:9092 DATABASE=findings.db go run .
package main

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log"
	"os"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	_ "modernc.org/sqlite"
)

// The part of a finding's event that this tool needs. Fields it does not know stay in the document.
type event struct {
	Data json.RawMessage `json:"data"`
}

type finding struct {
	ID       string `json:"id"`
	Revision int64  `json:"revision"`
	State    string `json:"state"`
}

var topic = cmp.Or(os.Getenv("TOPIC"), "steward.findings.v1")

func main() {
	if err := follow(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func follow(ctx context.Context) error {
	db, err := open(os.Getenv("DATABASE"))
	if err != nil {
		return err
	}
	client, err := kgo.NewClient(
		kgo.SeedBrokers(strings.Split(os.Getenv("BROKERS"), ",")...),
		kgo.ConsumerGroup(cmp.Or(os.Getenv("GROUP"), "my-tool")),
		kgo.ConsumeTopics(topic),
		kgo.SessionTimeout(sessionTimeout()),
		kgo.DisableAutoCommit(),
		kgo.BlockRebalanceOnPoll(),
		kgo.AdjustFetchOffsetsFn(func(ctx context.Context, offsets map[string]map[int32]kgo.Offset) (map[string]map[int32]kgo.Offset, error) {
			return resume(ctx, db, offsets)
		}),
	)
	if err != nil {
		return err
	}
	defer client.Close()
	for {
		fetches := client.PollRecords(ctx, 500)
		for _, it := range fetches.Errors() {
			log.Printf("partition %d: %v", it.Partition, it.Err)
		}
		if err := takeAll(ctx, db, fetches.Records()); err != nil {
			return err
		}
		client.AllowRebalance()
	}
}

func open(file string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", file+"?_pragma=busy_timeout(30000)&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	schema, err := os.ReadFile(cmp.Or(os.Getenv("SCHEMA"), "../schema.sql"))
	if err != nil {
		return nil, err
	}
	_, err = db.Exec(string(schema))
	return db, err
}

func sessionTimeout() time.Duration {
	timeout, err := time.ParseDuration(os.Getenv("SESSION_TIMEOUT_MS") + "ms")
	if err != nil {
		return 45 * time.Second
	}
	return timeout
}

// resume goes on where the database stopped; from the beginning where the log no longer has that place.
func resume(ctx context.Context, db *sql.DB, offsets map[string]map[int32]kgo.Offset) (map[string]map[int32]kgo.Offset, error) {
	plain, err := kgo.NewClient(kgo.SeedBrokers(strings.Split(os.Getenv("BROKERS"), ",")...))
	if err != nil {
		return nil, err
	}
	defer plain.Close()
	admin := kadm.NewClient(plain)
	lows, err := admin.ListStartOffsets(ctx, topic)
	if err != nil {
		return nil, err
	}
	highs, err := admin.ListEndOffsets(ctx, topic)
	if err != nil {
		return nil, err
	}
	for partition := range offsets[topic] {
		low, _ := lows.Lookup(topic, partition)
		high, _ := highs.Lookup(topic, partition)
		var next int64
		err := db.QueryRow("SELECT next FROM resumable WHERE topic_partition = ?", partition).Scan(&next)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, err
		}
		if err != nil || next < low.Offset || next > high.Offset {
			next = low.Offset
			if _, err := db.Exec("BEGIN; DELETE FROM finding WHERE topic_partition = $1; DELETE FROM position WHERE topic_partition = $1; COMMIT", partition); err != nil {
				return nil, err
			}
		}
		offsets[topic][partition] = kgo.NewOffset().At(next)
	}
	return offsets, nil
}

// takeAll applies records and moves the positions past them, in one transaction.
func takeAll(ctx context.Context, db *sql.DB, records []*kgo.Record) error {
	if len(records) == 0 {
		return nil
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, record := range records {
		if err := take(tx, record); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func take(tx *sql.Tx, record *kgo.Record) error {
	var next int64
	err := tx.QueryRow("SELECT next FROM position WHERE topic_partition = ?", record.Partition).Scan(&next)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if err == nil && record.Offset < next {
		return nil // another member of the group had it before us
	}
	if record.Value == nil {
		_, err = tx.Exec("DELETE FROM finding WHERE id = ?", string(record.Key))
	} else if it, document, why := read(record); why != nil {
		_, err = tx.Exec("INSERT OR IGNORE INTO poison VALUES (?, ?, ?)", record.Partition, record.Offset+1, why.Error())
	} else {
		_, err = tx.Exec(`INSERT INTO finding VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
			SET revision = excluded.revision, state = excluded.state, document = excluded.document
			WHERE excluded.revision > finding.revision`, it.ID, record.Partition, it.Revision, it.State, string(document))
	}
	if err != nil {
		return err
	}
	_, err = tx.Exec("INSERT OR REPLACE INTO position (topic_partition, next) VALUES (?, ?)", record.Partition, record.Offset+1)
	return err
}

// read gives the finding in a record, or why there is none.
func read(record *kgo.Record) (it finding, document json.RawMessage, why error) {
	var sent event
	if why = json.Unmarshal(record.Value, &sent); why != nil {
		return
	}
	if why = json.Unmarshal(sent.Data, &it); why != nil {
		return
	}
	if it.ID != string(record.Key) || it.Revision < 1 || it.State == "" {
		why = errors.New("it is no finding under its own key")
	}
	return it, sent.Data, why
}
